# The commands of this project. `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build run test check fmt tidy bench bench-term install

CARGO ?= cargo
PREFIX ?= /usr/local

# command:Debian package, of everything the service needs and the tests drive.
TOOLS := cc:build-essential bwrap:bubblewrap tmux:tmux vim:vim nano:nano less:less htop:htop dialog:dialog \
	sqlite3:sqlite3 zsh:zsh fish:fish curl:curl python3:python3

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: ## install what is missing (apt, as root or with sudo; cargo-nextest)
	@missing=""; \
	for tool in $(TOOLS); do \
		command -v "$${tool%%:*}" >/dev/null 2>&1 || missing="$$missing $${tool##*:}"; \
	done; \
	if [ ! -e /usr/lib/python3/dist-packages/prompt_toolkit ]; then \
		missing="$$missing python3-prompt-toolkit"; \
	fi; \
	if [ -n "$$missing" ]; then \
		if ! command -v apt-get >/dev/null 2>&1; then \
			echo "setup: install these packages first:$$missing" >&2; exit 1; \
		fi; \
		sudo=""; \
		if [ "$$(id -u)" -ne 0 ]; then \
			if ! command -v sudo >/dev/null 2>&1; then \
				echo "setup: as root, run: apt-get install$$missing" >&2; exit 1; \
			fi; \
			echo "setup: sudo is asked to install:$$missing"; sudo="sudo"; \
		fi; \
		echo "setup: installing$$missing"; \
		export DEBIAN_FRONTEND=noninteractive; \
		$$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq; \
		$$sudo env DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi
	@if ! $(CARGO) nextest --version >/dev/null 2>&1; then \
		echo "setup: installing cargo-nextest"; \
		$(CARGO) install cargo-nextest --locked; \
	fi

build: ## build the release binary
	$(CARGO) build --release --locked --package ttydrive

run: setup build ## start the service and watch it drive a Python REPL
	target/release/ttydrive demo

test: setup ## run every test
	$(CARGO) nextest run --workspace --locked

# Tests and benches may panic, sleep between looks at a fact, and start the binary.
IN_TESTS := -A clippy::unwrap_used -A clippy::panic -A clippy::disallowed_methods \
	-A clippy::print_stdout -A clippy::wildcard_enum_match_arm

check: ## formatting, lints, documentation and the rules about the source
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --lib --bins --locked -- -D warnings
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings $(IN_TESTS)
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --document-private-items
	$(CARGO) test --quiet --package ttydrive --test tidy --locked

fmt: ## format the source
	$(CARGO) fmt --all

tidy: ## only the rules about the source
	$(CARGO) test --quiet --package ttydrive --test tidy --locked

bench: ## all benchmarks: parts, workers, and the service over HTTP
	$(CARGO) bench --workspace --locked --bench '*'

bench-term: ## the emulator alone and through a whole session: MB/s and ratios
	$(CARGO) bench --package term --locked --bench '*'
	$(CARGO) bench --package worker --locked --bench ingest

install: build ## install the binary below PREFIX
	install -D -m 0755 target/release/ttydrive "$(DESTDIR)$(PREFIX)/bin/ttydrive"
