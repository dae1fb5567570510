# SPDX-License-Identifier: MIT
# Debian packages, in deb/: of the tarball, and of debian/, which is in the repository only: Debian's own debian/ would take its place.
DEB_BUILD = dpkg-buildpackage -us -uc -b
deb: dist-xz
	@test -d '$(srcdir)/debian' || { echo 'make deb: $(srcdir)/debian is missing: it is in the repository, not in the tarball' >&2; exit 1; }
	rm -rf deb && $(MKDIR_P) deb && tar -xf $(distdir).tar.xz -C deb && cp $(distdir).tar.xz deb/$(PACKAGE)_$(VERSION).orig.tar.xz
	cp -R '$(srcdir)/debian' deb/$(distdir)/
	cd deb/$(distdir) && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES $(DEB_BUILD)
	ls -l deb/*.deb
# two tarballs and two builds of them with the same bytes, lintian, and the packages in a bare Debian; skipped where that cannot be made
check-packages:
	TD_SRCDIR='$(abs_srcdir)' $(SHELL) $(srcdir)/tests/packages/packages.sh || test $$? -eq 77
distclean-local:
	rm -rf deb
.PHONY: check-packages deb
package_files = tests/packages/packages.sh
