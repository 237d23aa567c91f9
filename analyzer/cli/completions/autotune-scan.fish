# fish completion for autotune-scan
set -l none 'not __fish_seen_subcommand_from audit cache check manifest rules'

complete -c autotune-scan -n __fish_is_first_token -a audit -d 'look at many past runs'
complete -c autotune-scan -n __fish_is_first_token -a cache -d 'what a recorded cache holds, and is it whole'
complete -c autotune-scan -n __fish_is_first_token -a check -d 'the checklist of a manifest on this machine'
complete -c autotune-scan -n __fish_is_first_token -a manifest -d 'check a manifest'
complete -c autotune-scan -n __fish_is_first_token -a rules -d 'list, check or explain rules'
complete -c autotune-scan -n '__fish_seen_subcommand_from manifest; and not __fish_seen_subcommand_from lint' -f -a lint
complete -c autotune-scan -n '__fish_seen_subcommand_from rules; and not __fish_seen_subcommand_from list check explain' -f -a 'list check explain'
complete -c autotune-scan -n '__fish_seen_subcommand_from explain' -f -a "(autotune-scan rules list 2>/dev/null | string match -rg '^\S+ +\+?(\S+)')"

complete -c autotune-scan -n 'not __fish_seen_subcommand_from rules manifest' -l manifest -r -d 'the record of how the cache was built'
complete -c autotune-scan -n 'not __fish_seen_subcommand_from rules manifest cache check' -l html -r -d 'also write a page'
complete -c autotune-scan -n '__fish_seen_subcommand_from check; and not __fish_seen_subcommand_from rules' -l root -r -d 'the root file system to look at'
complete -c autotune-scan -n $none -l baseline -r -d 'the log of the run that built the cache'
complete -c autotune-scan -n $none -l cache -r -d 'the recorded cache, a folder or an archive'
complete -c autotune-scan -n $none -l run-cache -r -d 'the cache that the run left'
complete -c autotune-scan -n $none -l fail-fast -d 'end at the first certain mismatch'
complete -c autotune-scan -n $none -s f -l follow -d 'wait for more at the end of the file'
complete -c autotune-scan -n 'not __fish_seen_subcommand_from rules' -l format -x -a 'text json csv markdown' -d 'how to report'
complete -c autotune-scan -n 'not __fish_seen_subcommand_from rules' -l color -x -a 'auto always never' -d 'when to use colour'
complete -c autotune-scan -n 'not __fish_seen_subcommand_from rules' -s q -l quiet -d 'the verdict alone'
complete -c autotune-scan -n 'not __fish_seen_subcommand_from rules cache audit check' -l strict -d 'cut blocks, or warnings, are a failure too'
complete -c autotune-scan -n 'not __fish_seen_subcommand_from rules; or __fish_seen_subcommand_from list explain' -l rules -r -d 'lay the rules of a folder over the built-in ones'
complete -c autotune-scan -s h -l help -d 'help'
complete -c autotune-scan -n $none -s V -l version -d 'the version'
