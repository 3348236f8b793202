# Everything on a machine that has Python 3.11+, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Tests start the command hundreds of times; without its compiled files it would be compiled as often.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo vega test quick cover lint bench bench-peers bench-power docs site notebooks calibrate reproduce fuzz attack mutate release-check versions clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

# What a user installs, and no more: under a minute.
.venv-demo/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-demo
	.venv-demo/bin/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

demo: .venv-demo/.installed ## compare real classifiers on 20 Newsgroups, label by label, and write a page of it
	.venv-demo/bin/outclass demo --by label --report report.html

test: $(STAMP) ## all tests, on all cores
	$(BIN)/python -m pytest -n auto -q

quick: $(STAMP) ## the tests that take seconds
	$(BIN)/python -m pytest -n auto -q -m "not slow"

cover: $(STAMP) ## all tests, and which branches of src they take; fails below nine of ten
	$(BIN)/python -m pytest -n auto -q --cov --cov-report=term:skip-covered

lint: $(STAMP) ## style, types, and who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# A study that ends well leaves the digest of the sources it measured: a test tells which pages are older than theirs.
DIGEST := $(BIN)/python tests/digests/digests.py
PAPERS := zhang2016 goutte2005 yang1999

# JOBS=4 tries four at a time; ARGUMENTS='--practice 7 --each 60' others, to write tests for. A run that was broken off goes on.
mutate: $(STAMP) ## small faults in the code, and how many of them a test notices, into docs/mutation.md; most of an hour
	$(if $(ARGUMENTS),,$(DIGEST) --accept mutation) $(BIN)/python tests/mutation/run.py --jobs $(or $(JOBS),1) $(ARGUMENTS)

docs: $(STAMP) ## the generated pages, and all pages as a site
	$(DIGEST) --accept planning $(if $(TAKE),$(addprefix --accept=,$(PAPERS))) $(BIN)/python docs/make_pages.py $(if $(TAKE),--take $(TAKE))
	$(DIGEST) --accept agreement $(BIN)/python tests/agreement/agreement_page.py
	$(MAKE) site

site: $(STAMP) ## the pages as they are into site/, with search; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "open site/index.html"

vega: $(STAMP) ## newer versions of what draws charts on a page, as docs/make_vega.py names them; needs npm
	$(BIN)/python docs/make_vega.py

notebooks: $(STAMP) ## run the notebooks again, and keep what they print
	$(BIN)/python docs/run_notebooks.py

CALIBRATIONS := $(addprefix calibrate-,type_one sbc matched interval_coverage verdicts slices repeats runs judged latent gate)
.PHONY: $(CALIBRATIONS)
$(CALIBRATIONS): calibrate-%: $(STAMP) # one of the studies
	$(DIGEST) --accept $* $(BIN)/python tests/calibration/$*.py

calibrate: $(CALIBRATIONS) ## false alarms, coverage, ranks, verdicts, chains on every table, into docs/; an hour or two
	$(BIN)/python -m pytest -q --full tests/models/test_mcmc.py tests/calibration tests/reference \
	  tests/report/test_degenerate.py tests/models/test_models.py tests/studies/test_reproduce.py tests/browser/test_page.py \
	  tests/certainty/test_tests.py tests/cli/test_option_matrix.py tests/readers/test_readers.py tests/scale/test_spark.py tests/planning

RUNS ?= 20000
fuzz: $(STAMP) ## broken inputs into every reader, and docs/fuzz.md; SECONDS= a reader, READER= one of them
	$(if $(SECONDS)$(READER),,$(DIGEST) --accept fuzz) $(BIN)/python tests/fuzz/fuzz.py --runs $(RUNS) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(READER),--reader $(READER),--page)

# SECONDS= and RUNS= are less, SECTION= is a part, CASE= one case by its name with all there is to see of it.
ATTACK = $(if $(filter command environment,$(origin RUNS)),--runs $(RUNS)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SECTION),--section $(SECTION)) $(if $(CASE),--case '$(CASE)')
attack: $(STAMP) ## broken files, kills, hostile pages, extreme numbers, into docs/attack.md; half an hour
	$(if $(strip $(ATTACK)),,$(DIGEST) --accept attack) $(BIN)/python tests/attack/attack.py $(or $(strip $(ATTACK)),--page)

# The corpora lie beside the developers' checkout; elsewhere name their folder. DATA= asks the libraries' loaders, of which
# none has the corpus of goutte2005.
DATA ?= ../shared/data
reproduce: $(STAMP) ## the three papers from text to table, into reproduced/; `make docs TAKE=reproduced` keeps them
	for study in $(PAPERS); do \
	  $(BIN)/outclass reproduce $$study $(if $(DATA),--data $(DATA)) --output reproduced/$$study || failed=1; \
	done; test -z "$$failed"

# The rivals need their own environment: PyMC brings a compiler's worth of packages.
.venv-bench/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[mcmc]"
	touch $@

# PART="answers pages" measures these parts of docs/speed.md alone.
bench: .venv-bench/.installed ## speed and error, as ratios measured in one run
	$(if $(PART),,.venv-bench/bin/python benchmarks/run.py)
	$(if $(PART),,.venv-bench/bin/python benchmarks/auc.py)
	.venv-bench/bin/python benchmarks/scale.py $(if $(PART),--part $(PART))

# Each rival gets an environment of its own below .venv-peers, made when it is first asked: some gigabytes in all.
# QUESTION=f1_posterior measures one again.
bench-peers: $(STAMP) ## speed and memory beside other libraries, into docs/peers.md
	$(if $(QUESTION),,$(DIGEST) --accept peers_speed) $(BIN)/python benchmarks/peers/speed.py $(if $(QUESTION),--question $(QUESTION))

bench-power: $(STAMP) ## false alarms and power beside other libraries, into docs/peers.md; most of an hour
	$(DIGEST) --accept peers_power $(BIN)/python benchmarks/peers/power.py

# It builds with a few tools only, and makes and deletes an environment for each extra, with old and with new dependencies.
.venv-release/.installed: pyproject.toml
	$(PYTHON) -m venv .venv-release
	.venv-release/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	.venv-release/bin/python -m pip install --quiet --disable-pip-version-check hatchling packaging twine uv
	touch $@

release-check: .venv-release/.installed ## build, look inside, install with old and new dependencies, ask; half an hour
	.venv-release/bin/python tests/release/check.py

# PYTHONS="3.12 3.13" chooses. A version that is not installed and cannot be fetched is named as not tested.
PYTHONS ?= 3.11 3.12 3.13 3.14
versions: .venv-release/.installed ## the quick unit tests on several versions of Python; some minutes for each
	.venv-release/bin/python tests/release/versions.py $(PYTHONS)

clean:
	rm -rf $(VENV) .venv-demo .venv-bench .venv-peers .venv-release reproduced .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist site
