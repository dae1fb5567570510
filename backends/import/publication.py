# SPDX-License-Identifier: MIT
"""A publication on this machine: a folder of its files, or a git repository read at one commit.

A path is that of the publication's repository; PATH@COMMIT names a file of another commit than the publication's."""

import os
import subprocess


class PublicationError(Exception):
    """A publication that is not there; the text says what to do."""


def is_repository(where):
    return os.path.exists(os.path.join(where, ".git")) or (
        os.path.isfile(os.path.join(where, "HEAD")) and os.path.isdir(os.path.join(where, "objects")))


class Publication:
    def __init__(self, name, repository, commit, where):
        self.name, self.repository, self.commit, self.where = name, repository, commit, where
        if not os.path.isdir(where):
            raise PublicationError("%s: no folder %s; it wants github.com/%s at %s" % (name, where, repository, commit))
        self.git = is_repository(where)

    def text(self, path):
        path, commit = self._at(path)
        data = self._from_git(path, commit) if self.git else self._from_folder(path, commit)
        return data.decode("utf-8-sig", errors="surrogateescape")

    def cite(self, path):
        path, commit = self._at(path)
        return "github.com/%s @%s %s" % (self.repository, commit, path)

    def _at(self, path):
        path, _, commit = path.partition("@")
        return path, commit or self.commit

    def _from_git(self, path, commit):
        shown = subprocess.run(["git", "-C", self.where, "show", "%s:%s" % (commit, path)], capture_output=True)
        if shown.returncode:
            raise PublicationError("%s: %s has no %s at %s: %s" % (
                self.name, self.where, path, commit, shown.stderr.decode(errors="replace").strip()))
        return shown.stdout

    def _from_folder(self, path, commit):
        try:
            with open(os.path.join(self.where, path), "rb") as file:
                return file.read()
        except OSError as why:
            raise PublicationError("%s: %s (github.com/%s at %s)" % (self.name, why, self.repository, commit)) from why
