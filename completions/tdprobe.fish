# SPDX-License-Identifier: MIT
# fish completion of tdprobe: the program says what a word can become, as cli/table/offers.h describes.

# WORD PATTERN...: files of these kinds, and folders; where there is none, all files
function __tdprobe_files
    set -l lead (string match -r -- '^--[^=]*=|^' $argv[1])
    set -l all (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $argv[1]))
    set -l found
    for file in $all
        for pattern in $argv[2..-1]
            if string match -q -- $pattern (string split \t $file)[1]
                set -a found $file
                break
            end
        end
    end
    if set -q found[1]
        set -a found (string match -r -- '.*/(?:\t.*)?$' $all)
    else
        set found $all
    end
    test -n "$found"; and printf '%s\n' $lead$found
end

function __tdprobe_complete
    set -l before (commandline -opc)
    set -l words $before[2..-1] (commandline -ct)
    for line in ($before[1] __complete $words 2> /dev/null)
        set -l parts (string split ' ' -- $line)
        switch $parts[1]
            case :files
                __tdprobe_files $words[-1] $parts[2..-1]
            case :folders
                set -l lead (string match -r -- '^--[^=]*=|^' $words[-1])
                for folder in (__fish_complete_directories (string replace -r -- '^--[^=]*=' '' $words[-1]) '')
                    echo $lead$folder
                end
            case :program # the words of a program
                set -l own $words[(math $parts[2] + 1)..-1]
                complete -C (string join ' ' -- (string escape -- $own[1..-2]) $own[-1])
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c tdprobe -f -a '(__tdprobe_complete)'
