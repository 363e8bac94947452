#!/bin/sh
# Plans, reviews and applies a stack of this repository, in any CI system. Run it from the root of the checkout.
#
#   review.sh plan                  plans the checked-out revision into OUT
#   review.sh review BASE           reviews that plan with the policy of the revision BASE; writes reports into OUT
#   review.sh apply BASE DIGEST     plans, reviews, compares with the approved digest, and applies
#
#   ENGINE   terraform (default), tofu or pulumi
#   DIR      folder of the stack; default: .
#   POLICY   folder of the policy in the repository; default: review
#   OUT      folder of plans and reports, outside of the checkout: plans hold secrets
#   KCLOUD   the command; default: kcloud
#
# Exit codes: those of kcloud review; 1 also if the engine fails.
set -eu

engine=${ENGINE:-terraform}
stack=${DIR:-.}
policy=${POLICY:-review}
out=${OUT:?OUT is the folder of plans and reports}
kcloud=${KCLOUD:-kcloud}
mkdir -p "$out"
out=$(cd "$out" && pwd)

plan() (
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

review() {
  base=$out/base
  rm -rf "$base" && mkdir "$base"
  # The policy of the revision that was approved; the pull request may have changed its own.
  git archive "$1" -- "$policy" | tar -x -C "$base"
  "$kcloud" review --in "stack=$out/plan.json" --policy "$base/$policy" --policy-head "$policy" --root "$stack" \
    --out text --out "json:$out/report.json" --out "md:$out/report.md" --out "html:$out/report.html"
}

case ${1:-} in
plan) plan ;;
review) review "${2:?review BASE}" ;;
apply)
  plan
  review "${2:?apply BASE DIGEST}"
  "$kcloud" review verify --in "stack=$out/plan.json" --approved "${3:?apply BASE DIGEST}" --report "$out/report.json"
  cd "$stack"
  case $engine in
  pulumi) pulumi up --non-interactive --yes --skip-preview || exit 1 ;;
  *) "$engine" apply -input=false "$out/planned" || exit 1 ;;
  esac
  ;;
*)
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 1
  ;;
esac
