"""Cohorts: the tree in which teams lend."""

from collections.abc import Iterator

from skyfleet.check.manifests.objects import Objects
from skyfleet.check.rule import Problem, rule


@rule(
    "KUEUE-COHORT-DECLARED",
    "a cohort that nobody declared exists implicitly, without quota or limits of its own",
    "Kueue 0.19.2, pkg/cache/hierarchy",
)
def cohorts_are_declared(objects: Objects) -> Iterator[Problem]:
    declared = objects.names("Cohort")
    for kind, field in (("ClusterQueue", "cohortName"), ("Cohort", "parentName")):
        for item in objects.all(kind):
            name = item["spec"].get(field)
            if name and name not in declared:
                yield objects.problem(
                    item, f"belongs to cohort '{name}', which is not declared", "declare it", "warning"
                )


@rule("KUEUE-COHORT-CYCLE", "a tree with a cycle stops admitting as a whole", "Kueue 0.19.2, pkg/cache/hierarchy")
def cohorts_are_a_tree(objects: Objects) -> Iterator[Problem]:
    parents = {item["metadata"]["name"]: item["spec"].get("parentName") for item in objects.all("Cohort")}
    for item in objects.all("Cohort"):
        name = item["metadata"]["name"]
        above = parents[name]
        seen: set[str] = set()
        while above and above not in seen and above != name:
            seen.add(above)
            above = parents.get(above)
        if above == name:
            yield objects.problem(item, "is its own ancestor", "correct parentName")
