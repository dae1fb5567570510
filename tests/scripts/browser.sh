# SPDX-License-Identifier: MIT
# The browser of scripts that have pages laid out, to be sourced after checks.sh: without one that runs there is nothing to check.
browser=$(command -v chromium || command -v chromium-browser) || { echo "skipped: there is no chromium"; exit 77; }
draw() { # OPTIONS... URL: what the browser makes of it
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$tmp/profile" --dump-dom "$@" 2> browser.err
}
# NAME: the page in out is one of those that draw_framed has laid out, with the script probe.js. The page's policy runs no script but its own:
# this one by its hash, and not the other.
pages=
framed() {
    mkdir "$1"
    pages="$pages $1"
    python3 - "$1" << 'END2'
import base64, hashlib, sys
probe = '\n' + open('probe.js').read()
told = base64.b64encode(hashlib.sha256(probe.encode()).digest()).decode()
page = open('out').read().replace('script-src ', f"script-src 'sha256-{told}' ", 1)
open(sys.argv[1] + '/page.html', 'w').write(page.replace('</body>', f'<script>window.alien = 1</script><script>{probe}</script></body>'))
END2
}
# WIDE NARROW SEPARATOR: all pages, in frames of these widths, as a browser takes longer to start than to draw one; in the folder of each, drawn.1
# and drawn.0 are what the probe says in light and dark: lines of a word, its frame's width and more, with SEPARATOR between them.
draw_framed() {
    {
        echo '<!DOCTYPE html><html><body>'
        for page in $pages; do for width in "$1" "$2"; do
            echo "<iframe data-page=\"$page\" src=\"$page/page.html\" style=\"width:${width}px;height:900px;border:0\"></iframe>"
        done; done
        cat << 'END2'
<pre id="said"></pre><script>addEventListener('message', e => {
  const frame = [...document.querySelectorAll('iframe')].find(f => f.contentWindow === e.source);
  said.textContent += e.data.replace(/^/gm, frame.dataset.page + '/') + '\n';
})</script></body></html>
END2
    } > frame.html
    for scheme in 1 0; do
        draw --virtual-time-budget=10000 --blink-settings=preferredColorScheme=$scheme "file://$tmp/frame.html" |
            sed -n "s/.*<pre id=\"said\">//; s/<\/pre>.*//; /^[a-z0-9]*\/[a-z]*$3[0-9]*$3/p" | sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' > drawn
        for page in $pages; do
            sed -n "s,^$page/,,p" drawn > "$page/drawn.$scheme"
            [ -s "$page/drawn.$scheme" ] || fail "$page: the page's own probe says nothing: $(tail -n 1 browser.err)"
        done
    done
}
echo '<!DOCTYPE html><html><body><script>document.body.append("it " + "runs")</script></body></html>' > trial.html
draw "file://$tmp/trial.html" | grep -q 'it runs' || { echo "skipped: chromium does not run here: $(tail -n 1 browser.err)"; exit 77; }
