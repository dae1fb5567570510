# SPDX-License-Identifier: MIT
# The browser of scripts that have pages laid out, to be sourced after checks.sh: without one that runs there is nothing to check.
browser=$(command -v chromium || command -v chromium-browser) || { echo "skipped: there is no chromium"; exit 77; }
draw() { # OPTIONS... URL: what the browser makes of it
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$tmp/profile" --dump-dom "$@" 2> browser.err
}
echo '<!DOCTYPE html><html><body><script>document.body.append("it " + "runs")</script></body></html>' > trial.html
draw "file://$tmp/trial.html" | grep -q 'it runs' || { echo "skipped: chromium does not run here: $(tail -n 1 browser.err)"; exit 77; }
