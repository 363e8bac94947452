#!/bin/sh
# Plans, rehearses, reviews and applies a stack of this repository, in any CI system. Run it from the root of the checkout.
#
#   review.sh plan                  plans the checked-out revision into OUT
#   review.sh rehearse              applies that plan to an emulator with the objects of the state
#   review.sh review BASE           reviews plan and rehearsal with the policy of the revision BASE; writes reports into OUT
#   review.sh apply BASE DIGEST     plans, rehearses, reviews, compares with the approved digest, applies, and reports the apply
#   review.sh applied               reports an apply that was killed together with "review.sh apply"
#
#   ENGINE    terraform (default), tofu or pulumi
#   STACK     name of the stack in reports; default: stack
#   DIR       folder of the stack; default: .
#   REHEARSE  true: rehearses; without it, "rehearse" does nothing
#   POLICY    folder of the policy in the repository; default: review
#   OUT       folder of plans, states, logs and reports, outside of the checkout: all but the reports hold secrets
#   KCLOUD    the command; default: kcloud
#
# Exit codes: those of kcloud review; 1 also if the engine fails.
set -eu

engine=${ENGINE:-terraform}
name=${STACK:-stack}
stack=${DIR:-.}
policy=${POLICY:-review}
out=${OUT:?OUT is the folder of plans and reports}
kcloud=${KCLOUD:-kcloud}
case $name in
*[!A-Za-z0-9_.-]*)
  echo "STACK has letters, digits, dots, hyphens and underscores, not \"$name\"." >&2
  exit 1
  ;;
esac
mkdir -p "$out"
out=$(cd "$out" && pwd)

plan() (
  rm -f "$out/rehearsal.json"
  cd "$stack"
  case $engine in
  pulumi) pulumi preview --non-interactive --json --show-sames --show-replacement-steps >"$out/plan.json" || exit 1 ;;
  *)
    "$engine" init -input=false >/dev/null || exit 1
    "$engine" plan -input=false -out="$out/planned" >/dev/null || exit 1
    "$engine" show -json "$out/planned" >"$out/plan.json" || exit 1
    ;;
  esac
)

rehearse() {
  [ "${REHEARSE:-false}" = true ] || return 0
  code=0
  (
    cd "$stack"
    case $engine in
    pulumi) pulumi stack export ;;
    *) "$engine" state pull ;;
    esac
  ) >"$out/state.json" || exit 1
  # Terraform prints nothing for a stack that was never applied.
  [ -s "$out/state.json" ] || echo '{"version":4,"terraform_version":"1.0.0","serial":0,"lineage":"","outputs":{},"resources":[]}' >"$out/state.json"
  "$kcloud" rehearse "$stack" --root . --engine "$engine" --state "$out/state.json" --plan "$out/plan.json" \
    --out "$out/rehearsal.json" || code=$?
  # The change fails there: a finding of the review. A rehearsal that is not possible makes the plan not reviewable.
  if [ $code -ne 0 ] && [ $code -ne 3 ]; then
    : >"$out/rehearsal.json"
    echo "The rehearsal ended with $code. Without REHEARSE=true, the stack is reviewed without one." >&2
  fi
}

review() {
  base=$out/base
  rm -rf "$base" && mkdir "$base"
  # The policy of the revision that was approved; the pull request may have changed its own.
  git archive "$1" -- "$policy" | tar -x -C "$base"
  set -- --in "$name=$out/plan.json" --policy "$base/$policy" --policy-head "$policy" --root "$stack"
  if [ -f "$out/rehearsal.json" ]; then set -- "$@" --rehearsal "$name=$out/rehearsal.json"; fi
  "$kcloud" review "$@" \
    --out text --out "json:$out/report.json" --out "md:$out/report.md" --out "html:$out/report.html"
}

# Prints the messages of a log of terraform apply -json as they arrive.
progress() {
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
    *'"@message":"'*)
      line=${line#*'"@message":"'}
      line=${line%%'","@module":'*}
      while case $line in *'\"'*) ;; *) false ;; esac; do line=${line%%'\"'*}'"'${line#*'\"'}; done
      while case $line in *'\n'*) ;; *) false ;; esac; do line="${line%%'\n'*} ${line#*'\n'}"; done
      ;;
    esac
    printf '%s\n' "$line"
  done
}

# Runs an engine, and writes the id of its process for a signal. It gets no other one where a session of its own is possible.
run() {
  if command -v setsid >/dev/null; then set -- setsid "$@"; fi
  sh -c 'echo $$ >"$0" && exec "$@"' "$out/pid" "$@"
}

# Applies the plan, in the background. The log is a file in OUT, since it holds secrets. What reads the log ends with the engine, not
# by a signal.
run_engine() {
  trap : INT TERM
  cd "$stack"
  code=0
  case $engine in
  pulumi)
    PULUMI_DEBUG_COMMANDS=true run pulumi up --non-interactive --yes --skip-preview --event-log "$out/apply.jsonl" || code=$?
    echo $code >"$out/code"
    ;;
  *)
    {
      trap : INT TERM
      run "$engine" apply -input=false -json "$out/planned" || code=$?
      echo $code >"$out/code"
    } | (trap '' INT TERM && exec tee "$out/apply.jsonl") | (trap '' INT TERM && progress)
    ;;
  esac
}

# Passes the first signal to the engine, which then ends and saves its state. A second one would end it at once.
stop() {
  if [ ! -s "$out/pid" ]; then return; fi
  trap '' INT TERM
  kill -TERM "$(cat "$out/pid")" || true
}

apply() {
  # Such a file would replace the state. Only an engine that could not save the state writes one.
  if [ -e "$stack/errored.tfstate" ]; then
    echo "$stack/errored.tfstate is the state of an earlier apply, or a file of the repository. Push it to the backend if it is a state, and remove it. Nothing was applied." >&2
    exit 1
  fi
  rm -f "$out/applied.json" "$out/code" "$out/pid"
  : >"$out/apply.jsonl"
  trap stop INT TERM
  run_engine &
  while kill -0 $! 2>/dev/null; do wait $! || true; done
}

applied() {
  if [ ! -f "$out/apply.jsonl" ]; then
    echo "Nothing was applied."
    return 0
  fi
  # "review.sh apply" has reported it.
  if [ -f "$out/applied.json" ]; then return 0; fi
  set -- --report "$out/report.json" --log "$name=$out/apply.jsonl"
  if [ -s "$out/code" ]; then set -- "$@" --exit-code "$(cat "$out/code")"; fi
  if (
    cd "$stack"
    case $engine in
    pulumi) pulumi stack export ;;
    *)
      # The engine could not save the state, and the machine of the job is removed soon.
      if [ -f errored.tfstate ]; then "$engine" state push errored.tfstate >&2 || true; fi
      "$engine" show -json
      ;;
    esac
  ) >"$out/state.json"; then set -- "$@" --state "$name=$out/state.json"; fi
  "$kcloud" review applied "$@" --out text --out "json:$out/applied.json" --out "md:$out/applied.md"
}

case ${1:-} in
plan) plan ;;
rehearse) rehearse ;;
review)
  if [ -z "${2:-}" ]; then
    echo "review.sh review BASE" >&2
    exit 1
  fi
  review "$2"
  ;;
apply)
  if [ -z "${2:-}" ] || [ -z "${3:-}" ]; then
    echo "review.sh apply BASE DIGEST" >&2
    exit 1
  fi
  rm -f "$out/apply.jsonl" "$out/applied.json"
  plan
  rehearse
  review "$2"
  "$kcloud" review verify --in "$name=$out/plan.json" --approved "$3" --report "$out/report.json"
  apply
  applied
  [ "$(cat "$out/code" 2>/dev/null)" = 0 ] || exit 1
  ;;
applied) applied ;;
*)
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 1
  ;;
esac
