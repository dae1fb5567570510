# SPDX-License-Identifier: MIT
# A file of CSS or of JavaScript as a string of C, without the lines that are comments alone.
/^ *\/\*.*\*\/$/ || /^ *\/\// { next }
{ gsub(/\\/, "&&"); gsub(/"/, "\\\\&"); print "\"" $0 "\\n\"" }
