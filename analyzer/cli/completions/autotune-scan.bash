# bash completion for autotune-scan
_autotune_scan() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local first=${COMP_WORDS[1]-} second=${COMP_WORDS[2]-} options
  compopt -o filenames 2>/dev/null
  case $previous in
    --format) mapfile -t COMPREPLY < <(compgen -W 'text json csv markdown' -- "$current"); return ;;
    --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$current"); return ;;
    --rules | --root) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    --log | --output | --manifest | --baseline | --cache | --run-cache | --html) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
  esac
  case $first in
    audit) options='--manifest --html --format --color --quiet --rules --help' ;;
    cache) options='--manifest --format --color --quiet --rules --help' ;;
    check) options='--manifest --root --format --color --quiet --rules --help' ;;
    manifest) options='--log --cache --root --output --format --color --quiet --strict --rules --help' ;;
    rules) options='--rules --help' ;;
    *) options='--manifest --baseline --cache --run-cache --html --fail-fast --follow --format --color --quiet --strict --rules --help --version' ;;
  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  elif ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'audit cache check manifest rules' -- "$current"; compgen -f -- "$current")
  elif ((COMP_CWORD == 2)) && [[ $first == manifest ]]; then
    mapfile -t COMPREPLY < <(compgen -W 'lint write' -- "$current")
  elif ((COMP_CWORD == 2)) && [[ $first == rules ]]; then
    mapfile -t COMPREPLY < <(compgen -W 'list check explain' -- "$current")
  elif [[ $first == rules && $second == explain ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" rules list 2>/dev/null | awk '{sub(/^\+/, "", $2); print $2}')" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _autotune_scan autotune-scan
