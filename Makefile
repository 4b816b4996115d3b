# Skyfleet. `make help` lists the targets; each is one verb, and CI runs the same ones.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SKYFLEET := $(BIN)/skyfleet
FLEET ?= fleet
BASE ?= origin/main
SECTION ?= fleet
WORKLOADS ?= examples/workloads/week.csv
# Set on some machines; imports of pulumi and sky are three times slower without bytecode.
unexport PYTHONDONTWRITEBYTECODE
export UV_COMPILE_BYTECODE := 1
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup tools check preview preview-engine comment whatif generate bench lint format test test-fast test-e2e demo demo-down node rehearse up recover drift wheel lock clean

##@ The two commands
demo: setup tools ## Everything, then the main job on simulated clusters; no cloud account (about 15 minutes the first time)
	@$(BIN)/python -m demo

test: setup tools lint test-fast test-e2e ## All tests, the end-to-end ones included

##@ Set-up
setup: $(VENV)/.complete ## Python environment in .venv, from pinned and hashed packages

$(VENV)/.complete: requirements/uv.txt requirements/dev.txt pyproject.toml policy/pyproject.toml
	@$(PYTHON) -m tools.prerequisites
	@echo "Installing the Python environment (about a minute the first time)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@$(BIN)/uv pip sync --quiet --require-hashes --python $(BIN)/python requirements/dev.txt
	@$(BIN)/uv pip install --quiet --no-deps --no-build-isolation --python $(BIN)/python -e . -e policy
	@touch $@

tools: ## Build the pinned binaries that are missing or out of date (about 13 minutes the first time)
	@$(PYTHON) -m tools.build

lock: setup ## Resolve requirements/*.in again
	@for name in uv dev image; do $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' requirements/$$name.in -o requirements/$$name.txt; done

##@ The platform team
check: setup ## Every mistake of the definition, by file and line (FLEET=DIR for another)
	@$(SKYFLEET) check --fleet $(FLEET)

preview: setup ## What a change of the definition does (BASE=REF, FLEET=DIR, REPORT=FILE); fails if it cannot be told
	@$(SKYFLEET) preview --base $(BASE) --fleet $(FLEET) $(if $(REPORT),> $(REPORT)) || [ $$? -eq 1 ]

whatif: setup tools ## What a change of quotas would have meant, on real Kueue (BASE=REF, WORKLOADS=FILE.csv, PAGE=FILE.html; three minutes)
	@$(SKYFLEET) whatif --base $(BASE) --fleet $(FLEET) --workloads $(WORKLOADS) $(if $(PAGE),--format html > $(PAGE))

generate: setup ## Manifests, routes, server config and schemas from the definition
	@$(SKYFLEET) generate

up: setup ## pulumi up of every stack, in parallel (STACKS="a b" for some; DRY=1 to preview)
	@$(BIN)/python -m infra.up $(if $(DRY),--preview) $(STACKS)

recover: setup ## After an up that was killed: adopt what it made and did not write down (STACKS="a b" for some); then `make up`
	@$(BIN)/python -m infra.recover $(STACKS)

preview-engine: setup tools ## pulumi preview of every stack as Markdown, with the clouds' credentials (REPORT=FILE)
	@$(BIN)/python -m ci.engine $(STACKS) $(if $(REPORT),> $(REPORT))

comment: setup ## Post a report on a pull request (REPORT=FILE, PULL=NUMBER, SECTION=fleet or engine, KEEP=1)
	@$(BIN)/python -m ci.comment $(REPORT) --pull $(PULL) --section $(SECTION) $(if $(KEEP),--keep)

drift: setup ## What differs between the stacks and the world, field by field (STACKS="a b" for some); exit status 1 if anything does
	@$(BIN)/python -m infra.drift $(STACKS)

wheel: setup ## The policy's wheel in dist/, for the SkyPilot API server and for engineers
	@$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python --wheel --out-dir dist policy

##@ Developers
lint: setup ## Format, lint, types, and generated files up to date
	@$(BIN)/ruff format --check --quiet . || { echo "run \`make format\`"; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/basedpyright --level error
	@$(SKYFLEET) generate --check

format: setup ## Format and fix what can be fixed
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .

test-fast: setup ## What needs no control plane, under a minute
	@$(BIN)/pytest -n 2 --dist worksteal -m "not e2e and not slow"

test-e2e: setup tools ## The main job on real control planes, and what builds environments of its own; tasks on a real node where root on Linux allows
	@if $(BIN)/python -m sim.node.needs; then $(MAKE) --no-print-directory node; fi
	@$(BIN)/pytest -m "e2e or slow" -rs

node: setup tools ## What a real node is made of, for `skyfleet sim up --real-node` (Linux, root; three minutes the first time)
	@$(PYTHON) -m tools.build node
	@$(BIN)/python -m sim.node.build

rehearse: node ## Tasks that really run, on a real node: every scenario of docs/rehearsal.md, with its figures (SKYFLEET_REHEARSAL=DIR keeps it running)
	@$(BIN)/pytest -m e2e -rs --capture=no --durations=0 tests/rehearsal

bench: setup ## Speed of the policy and of check, generate and preview; numbers, no verdict
	@$(BIN)/python -m tests.policy.bench
	@$(BIN)/python -m tests.preview.bench

demo-down: ## End the demo: no process and no file stays
	@$(SKYFLEET) sim down

clean: ## Remove the Python environment and built tools
	@rm -rf $(VENV) .tools dist

help: ## This list
	@awk 'BEGIN { FS = ":.*## " } /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
