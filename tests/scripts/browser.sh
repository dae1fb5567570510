# SPDX-License-Identifier: MIT
# The browser of scripts that have pages laid out, to be sourced after checks.sh: without one that runs there is nothing to check.
browser=$(command -v chromium || command -v chromium-browser) || { echo "skipped: there is no chromium"; exit 77; }
draw() { # OPTIONS... URL: what the browser makes of it
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$tmp/profile" --dump-dom "$@" 2> browser.err
}
# WIDE NARROW SEPARATOR: the page in out, with the script probe.js, in frames of these widths; drawn.1 and drawn.0 are what the probe says in
# light and dark: lines of a word, its frame's width and more, with SEPARATOR between them. The page's policy runs no script but its own:
# this one by its hash, and not the other.
draw_framed() {
    python3 - << 'END2'
import base64, hashlib
probe = '\n' + open('probe.js').read()
told = base64.b64encode(hashlib.sha256(probe.encode()).digest()).decode()
page = open('out').read().replace('script-src ', f"script-src 'sha256-{told}' ", 1)
open('page.html', 'w').write(page.replace('</body>', f'<script>window.alien = 1</script><script>{probe}</script></body>'))
END2
    cat > frame.html << END2
<!DOCTYPE html><html><body><iframe src="page.html" style="width:${1}px;height:900px;border:0"></iframe><iframe src="page.html" style="width:${2}px;height:900px;border:0"></iframe>
<pre id="said"></pre><script>addEventListener('message', e => { said.textContent += e.data + '\\n'; })</script></body></html>
END2
    for scheme in 1 0; do
        draw --virtual-time-budget=10000 --blink-settings=preferredColorScheme=$scheme "file://$tmp/frame.html" |
            sed -n "s/.*<pre id=\"said\">//; s/<\/pre>.*//; /^[a-z]*$3[0-9]*$3/p" | sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' > drawn.$scheme
        [ -s drawn.$scheme ] || fail "$what: the page's own probe says nothing: $(tail -n 1 browser.err)"
    done
}
echo '<!DOCTYPE html><html><body><script>document.body.append("it " + "runs")</script></body></html>' > trial.html
draw "file://$tmp/trial.html" | grep -q 'it runs' || { echo "skipped: chromium does not run here: $(tail -n 1 browser.err)"; exit 77; }
