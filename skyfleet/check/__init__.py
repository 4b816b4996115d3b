"""Rules about the data: named functions in a list, all run, all findings reported."""

from skyfleet.check.rule import Problem, Rule, Subject
from skyfleet.check.rules import names, organization, pools, quotas, references
from skyfleet.finding import Finding
from skyfleet.load import Definition

RULES: tuple[Rule, ...] = (
    names.object_names,
    names.no_default_queue,
    names.label_values,
    names.label_keys,
    names.gke_contexts,
    references.clusters,
    references.priorities,
    references.quota_accelerators,
    pools.distinct_names,
    pools.one_pool_each,
    pools.known_machines,
    pools.right_accelerators,
    pools.a_cpu_pool,
    quotas.within_capacity,
    quotas.every_request_is_covered,
    quotas.no_quota_is_excluded,
    organization.distinct_priorities,
    organization.priorities_in_range,
    organization.one_default_each,
    organization.cpu_homes_have_cpu_pools,
    organization.every_pool_is_priced,
)


def check(definition: Definition) -> list[Finding]:
    """What loading and every rule found, by file and line."""
    found = list(definition.findings)
    if definition.fleet is not None:
        subject = Subject.of(definition, definition.fleet)
        for rule in RULES:
            found.extend(_finding(definition, rule, problem) for problem in rule.examine(subject))
    return sorted(found)


def _finding(definition: Definition, rule: Rule, problem: Problem) -> Finding:
    path, line = definition.locate(problem.at)
    return Finding(path, line, rule.name, problem.message, problem.remedy, problem.severity)


__all__ = ["RULES", "Problem", "Rule", "Subject", "check"]
