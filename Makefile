# `make` alone lists the targets. What they need is installed by .ci/setup.

SHELL := bash
.DEFAULT_GOAL := help
.NOTPARALLEL:

# What is built does not depend on where the repository is, so that another clone on
# the same machine need not build it again.
export GOFLAGS := -trimpath $(filter-out -trimpath,$(GOFLAGS))

ADDR       ?= 127.0.0.1:8080
ARGS       ?=
SITE       ?= bin/site
CHAOS      ?= 10m
BENCH      ?= .
COUNT      ?= 1
FUZZTIME   ?= 10s
FUZZROUTES ?= 10m
FUZZCONSOLE ?= 10m
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

PLAYGROUND := $(CURDIR)/bin/playground
GO_SOURCES := $(wildcard cmd lessons playground static/*.go zklock)
MODULES    := static/node_modules/.package-lock.json
LIB        := static/lib/page/index.html
PAGE       := $(shell find static/index.html static/js static/css -type f)

##@ Use

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z0-9-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: setup-run build ## install what is missing and serve the page on ADDR (127.0.0.1:8080)
	$(PLAYGROUND) serve -addr $(ADDR) $(ARGS)

.PHONY: site
site: build ## write the course as static files into SITE (bin/site), with recordings of its runs
	@.ci/setup go node zookeeper redis
	$(PLAYGROUND) site $(ARGS) $(SITE)

.PHONY: test
test: setup ## install what is missing and run every check
	@.ci/checks

.PHONY: quick
quick: setup ## run the checks that need no server and no browser
	@$(MAKE) --no-print-directory -j2 --output-sync=target fmt-check typecheck vet jstest unittest

##@ Set up and build

.PHONY: setup
setup: setup-test $(MODULES) lib ## install what run and test need: Go, Node, ZooKeeper, Java, Curator, kazoo, Redis, Chromium, npm packages

.PHONY: setup-test
setup-test:
	@.ci/setup go gcc node zookeeper curator kazoo redis chromium

# A playground that is told where its ZooKeeper and its Redis are needs none here.
.PHONY: setup-run
setup-run:
	@.ci/setup go node $(if $(ZK_SERVERS),,zookeeper) $(if $(REDIS_SERVER),,redis)

.PHONY: lib
lib: $(LIB) ## fetch the page's libraries, and bundle the page, into static/lib

.PHONY: build
build: $(LIB) ## build bin/playground with the page inside, and bin/zklock
	go build -o $(PLAYGROUND) ./cmd/playground
	go build -o $(CURDIR)/bin/zklock ./cmd/zklock

.PHONY: dist
dist: lib ## build the archives of a release, for Linux, macOS and Windows, into bin/dist
	@.ci/setup go
	go run ./cmd/dist

$(MODULES): static/package.json static/package-lock.json static/.npmrc
	@.ci/setup node
	cd static && npm ci
	@touch $@

# The packages are no prerequisite: who has lib, as in the Dockerfile, needs no Node.
$(LIB): static/package.json static/package-lock.json static/bundle.js $(PAGE)
	@$(MAKE) -s $(MODULES)
	node static/bundle.js

##@ Check

.PHONY: fmt
fmt: ## format the Go code
	gofmt -w $(GO_SOURCES)

.PHONY: fmt-check
fmt-check:
	@unformatted=$$(gofmt -l $(GO_SOURCES)) && test -z "$$unformatted" || \
		{ echo "not formatted, run make fmt: $$unformatted" >&2; exit 1; }

.PHONY: vet
vet: ## run go vet
	go vet ./...
	GOOS=windows go vet ./...

.PHONY: lint
lint: ## run staticcheck
	go run $(STATICCHECK) ./...

.PHONY: gotest
gotest: racetest plaintest ## run the Go tests on a real ZooKeeper

# -count=1: Go would call a test passed whose ZooKeeper it has not seen.
# -timeout: a busy machine needs more than Go's ten minutes for a package.
# -vet=off: make vet asks all that go test would, and more.
# -p: two packages at once, whatever the processors: their tests mostly wait, and some
# would be late where more wait beside them.
# TEST_ARTIFACTS: where the logs of runs go whose test has failed.
# GORACE: else each tested package waits a second at its end for late reports of races;
# there are none, as no goroutine outlives the tests.
GOTEST := GORACE=atexit_sleep_ms=0 TEST_ARTIFACTS=$(CURDIR)/test-results go test -count=1 -vet=off -p 2 -timeout 40m

# In these no goroutines meet but those of the program under test, all of which is
# tested with the race detector in its own packages, and package judge by package judging.
# The longest come first, so that none is left alone at the end.
PLAIN := playground/challenge cmd/playground cmd/dist lessons lessons/teacher playground/check playground/site/exercise playground/site/export playground/goal playground/judge \
	playground/scenario playground/site playground/state playground/store/resp playground/wholefile zklock/internal/queue zklock/internal/sessionclock \
	zklock/test/bench zklock/test/interop zklock/test/knownbugs zklock/test/model zklock/test/zktest

.PHONY: racetest
racetest: ## run those with the race detector
	$(GOTEST) -race $(ARGS) $$(go list ./... | grep -v $(PLAIN:%=-e '/%$$'))

.PHONY: plaintest
plaintest: ## run those without
	$(GOTEST) $(ARGS) $(PLAIN:%=./%)

# Their tests start no server.
UNIT := cmd/dist lessons lessons/teacher playground/check playground/console playground/event playground/goal \
	playground/observer playground/scenario playground/state playground/store/resp playground/web/ratelimit playground/web/stream \
	zklock/internal/protocol zklock/internal/queue zklock/internal/sessionclock zklock/test/model

.PHONY: unittest
unittest: ## run the Go tests that start no server
	go test -vet=off $(ARGS) $(UNIT:%=./%)

.PHONY: typecheck
typecheck: $(MODULES) $(LIB) ## check the types of the page's modules
	static/node_modules/.bin/tsc -p static/tsconfig.json
	static/node_modules/.bin/tsc -p static/tsconfig.node.json

# A file that sets something up before each test, or speaks another language, has a process
# of its own: that would hold for the files beside it, too.
.PHONY: jstest
jstest: $(MODULES) $(LIB) ## run the tests of the page's modules in Node
	node --test-reporter=spec static/test/together.js $$(grep -LE 'beforeEach|speak\(' static/test/*.test.js static/test/*/*.test.js)
	node --test --test-reporter=spec $$(grep -lE 'beforeEach|speak\(' static/test/*.test.js static/test/*/*.test.js)

.PHONY: browser
browser: $(MODULES) build ## run the tests of the page in Chromium
	PLAYGROUND_BIN=$(PLAYGROUND) CHROMIUM="$$(.ci/chromium)" node static/browser/run.js static/browser/*.test.js

.PHONY: walk
walk: $(MODULES) build ## go through all lessons as a learner: WALK is en, zh, ru or all, LESSON some of them
	WALK=$${WALK:-all} PLAYGROUND_BIN=$(PLAYGROUND) CHROMIUM="$$(.ci/chromium)" node --test --test-reporter=spec static/browser/walk.test.js

# The newest ZooKeeper of each line that can be fetched, and the line of docker-compose.yml.
ZOOKEEPERS  := $(CURDIR)/bin/zookeeper
LINES       := 3.5 3.6 3.7 3.8 3.9
ZOOKEEPER39 := $(ZOOKEEPERS)/3.9

# Left out are the tests of an ensemble, of which there is none in docker-compose.yml, and
# one that only waits.
.PHONY: test-39
test-39: $(ZOOKEEPER39)/fetched ## run scenarios and faults on ZooKeeper 3.9, configured as docker-compose.yml does it
	ZOOKEEPER_HOME=$(ZOOKEEPER39) $(GOTEST) ./zklock/test/zktest ./playground/run \
		-skip 'TestEnsemble|TestSlowestLink' -compose $(CURDIR)/docker-compose.yml
	ZOOKEEPER_HOME=$(ZOOKEEPER39) $(GOTEST) ./cmd/playground -run 'TestSite$$' -compose $(CURDIR)/docker-compose.yml

.PHONY: versions
versions: $(LINES:%=$(ZOOKEEPERS)/%/fetched) ## run zklock and the playground on ZooKeeper 3.5 to 3.9, and print what holds on which
	@.ci/setup redis
	go run ./zklock/test/versions $(ARGS) $(LINES:%=$(ZOOKEEPERS)/%)

.PHONY: secure
secure: $(LINES:%=$(ZOOKEEPERS)/%/fetched) ## run zklock's tests by TLS, with digest authentication, below a chroot, and with all three
	go run ./zklock/test/versions -only tls,auth,chroot,secure $(ARGS) $(LINES:%=$(ZOOKEEPERS)/%)

$(ZOOKEEPERS)/%/fetched: zklock/test/versions/pom.xml
	@.ci/setup go maven zookeeper
	rm -rf $(@D)
	mvn -q -B -P$* -Dmaven.wagon.http.retryHandler.count=3 -f $< \
		org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory=$(@D)/lib
	@touch $@

.PHONY: docker-smoke
docker-smoke: $(MODULES) ## build the image, start docker-compose.yml, break clients and ZooKeeper in it, and stop; needs a Docker engine
	@.ci/setup go node chromium
	CHROMIUM="$$(.ci/chromium)" .ci/docker-smoke $(ARGS)

.PHONY: fixtures
fixtures: $(MODULES) build ## record anew the runs that the tests of the page read
	PLAYGROUND_BIN=$(PLAYGROUND) node --experimental-websocket static/test/record.js

.PHONY: fuzz
fuzz: ## fuzz every parser for FUZZTIME (10s) each
	@.ci/setup go node
	.ci/fuzz $(FUZZTIME)

.PHONY: fuzz-routes
fuzz-routes: ## send strange requests to every route for FUZZROUTES (10m), and print how they were answered
	@.ci/setup go zookeeper
	go test -race -count=1 -v -timeout 0 -run 'TestFuzzRoutes$$' ./playground/web -fuzz-routes $(FUZZROUTES) $(ARGS)

.PHONY: fuzz-console
fuzz-console: ## type strange commands at consoles for FUZZCONSOLE (10m), and look for what gets out of the room
	@.ci/setup go zookeeper
	go test -race -count=1 -v -timeout 0 -run 'TestFuzzConsole$$' ./playground/room -fuzz-console $(FUZZCONSOLE) $(ARGS)

# Curator and kazoo, newer than Debian has them.
PEERS := $(CURDIR)/bin/peers

.PHONY: interop
interop: $(PEERS)/fetched ## let the newest Curator, kazoo, go-zookeeper and zklock contend on one path, 30 s a test, and write what came of it
	CURATOR_CLASSPATH='$(PEERS)/lib/*' KAZOO_PYTHON=$(PEERS)/venv/bin/python \
		go test -race -count=1 -v -timeout 0 ./zklock/test/interop -interop-for 30s -interop-table README.md $(ARGS)

$(PEERS)/fetched: zklock/test/interop/pom.xml zklock/test/interop/requirements.txt
	@.ci/setup go gcc zookeeper curator maven
	rm -rf $(PEERS)
	python3 -m venv $(PEERS)/venv
	$(PEERS)/venv/bin/pip -q install -r zklock/test/interop/requirements.txt
	mvn -q -B -Dmaven.wagon.http.retryHandler.count=3 -f $< \
		org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory=$(PEERS)/lib
	@touch $@

.PHONY: judged
judged: build ## judge the locks that others use, fetched into bin/judged, and write zklock's README
	@.ci/setup go node zookeeper maven
	go run ./zklock/test/judged -playground $(PLAYGROUND) $(ARGS)

.PHONY: chaos
chaos: ## break the network, the server and the sessions under every lock for CHAOS (10m)
	@.ci/setup go zookeeper
	go test -count=1 -v -timeout 0 -run 'TestChaos$$' ./zklock/test/chaos -chaos $(CHAOS) $(ARGS)

.PHONY: chaos-ensemble
chaos-ensemble: $(ZOOKEEPER39)/fetched ## the same on three servers of ZooKeeper 3.9, which are killed, cut off and slowed down
	ZOOKEEPER_HOME=$(ZOOKEEPER39) go test -count=1 -v -timeout 0 -run 'TestChaos$$' ./zklock/test/chaos -nodes 3 -chaos $(CHAOS) $(ARGS)

.PHONY: leaders
leaders: ## kill 200 leaders of three candidates, and print how long there was none
	@.ci/setup go zookeeper
	go test -count=1 -v -timeout 0 -run 'TestLeaders$$' ./zklock/test/chaos -leaders 200

.PHONY: relapses
relapses: ## put back each known bug of lock libraries, and see that a test fails
	@.ci/setup go zookeeper
	go test -count=1 -v -timeout 0 -run 'TestRelapses$$' ./zklock/test/knownbugs -relapses all

.PHONY: bench-page
bench-page: $(MODULES) build ## measure the page in Chromium: frames, seeks, scrubbing, delay, memory
	PLAYGROUND_BIN=$(PLAYGROUND) CHROMIUM="$$(.ci/chromium)" node static/browser/bench.js

.PHONY: bench
bench: ## measure zklock.Mutex beside other locks and their floors; ARGS="-help" lists what can be set
	@.ci/setup go zookeeper
	go run ./zklock/test/bench $(ARGS)

.PHONY: microbench
microbench: ## run the Go benchmarks that match BENCH, COUNT times
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./...

.PHONY: soak
soak: ## let 200 clients contend for a minute and look for what is left
	go test -count=1 -v -run TestNothingIsLeft ./playground/run -soak 60

.PHONY: kills
kills: ## kill the playground 50 times while a class is at work, and look for what is left and what is kept
	@.ci/setup go zookeeper
	go test -count=1 -v -timeout 0 -run 'TestKilledPlayground' ./cmd/playground -kills 50

.PHONY: cluster-kills
cluster-kills: $(ZOOKEEPER39)/fetched ## kill a class's playground of three 20 times, and the leader of three ZooKeepers 10 times, and print what was lost and how soon 30 rooms were back
	ZOOKEEPER_HOME=$(ZOOKEEPER39) go test -count=1 -v -timeout 0 -run 'TestClusterKills$$|TestClusterHop$$' ./cmd/playground -cluster-kills 20 $(ARGS)

.PHONY: runs
runs: ## start and stop 500 runs and print what there is of goroutines, memory, files and znodes
	@.ci/setup go zookeeper
	go test -count=1 -v -timeout 0 -run 'TestManyRuns' ./playground/web -runs 500

.PHONY: scale
scale: ## run 1000 clients in 5 lanes for a minute and print what that costs; ARGS="-scale.clients 1000" for 5000
	@.ci/setup go zookeeper
	go test -run '^$$' -bench 'BenchmarkRun$$' -benchtime 1x ./playground/run -scale 60s $(ARGS)

.PHONY: fanout
fanout: ## print what 500 viewers of 10,000 events a second cost, sharing frames or not, and ten downloads
	@.ci/setup go zookeeper
	go test -run '^$$' -bench 'BenchmarkFanout$$|BenchmarkLateViewers$$|BenchmarkSlowViewers$$|BenchmarkDownloads$$' -benchtime 1x ./playground/web -fanout 4s -fanout.rounds 5

.PHONY: class
class: ## print what a class of 50 costs, what a room feels of another, and what 500 viewers cost, sharing frames or not
	@.ci/setup go zookeeper
	go test -count=1 -v -timeout 0 -run 'TestClass$$' ./cmd/playground -students 50 -class 30s
	go test -count=1 -v -timeout 0 -run 'TestIsolation$$' ./cmd/playground -isolation 4s -isolation.rounds 5 -isolation.crowd 50
	go test -run '^$$' -bench 'BenchmarkFanout$$/viewers=(none|500|500-unshared)$$' -benchtime 1x ./playground/web -fanout 4s

.PHONY: museum
museum: ## run every scenario 10 times, as the lessons do, and compare its verdicts
	@.ci/setup go zookeeper redis
	go test -count=10 -v -timeout 0 -run 'TestSite$$' ./cmd/playground

.PHONY: hold
hold: ## hold every frame of a run for 5 minutes and look for lost sessions
	@.ci/setup go zookeeper
	go test -count=1 -v -timeout 0 -run 'TestStepKeepsSessions$$' ./playground/run -hold 5m

.PHONY: ensemble
ensemble: ## kill the servers of an ensemble under 60 clients, 3 rounds
	@.ci/setup go zookeeper
	go test -count=1 -v -timeout 0 -run 'TestEnsemble|TestObserverMissesNothing' ./playground/run -rounds 3 -crowded 60

.PHONY: cover
cover: ## show the coverage of the Go tests; details in test-results/cover.html
	@mkdir -p test-results
	go test -timeout 40m -coverpkg ./... -coverprofile test-results/cover.out ./...
	go tool cover -html test-results/cover.out -o test-results/cover.html
	go tool cover -func test-results/cover.out | tail -1

.PHONY: screenshots
screenshots: $(MODULES) build ## take pictures of the page into test-results/screenshots
	CHROMIUM="$$(.ci/chromium)" .ci/with-playground node static/browser/screenshots.js
	PLAYGROUND_BIN=$(PLAYGROUND) CHROMIUM="$$(.ci/chromium)" node static/browser/decisive-pictures.js test-results/screenshots/decisive

.PHONY: pictures
pictures: screenshots ## renew the pictures in the README
	@mkdir -p static/pictures
	for theme in light dark; do cp test-results/screenshots/1440x900-$$theme-run.png \
		static/pictures/herd-vs-predecessor-$$theme.png; done
	PLAYGROUND_BIN=$(PLAYGROUND) CHROMIUM="$$(.ci/chromium)" node static/browser/recorded-pictures.js static/pictures

.PHONY: clean
clean: ## remove what was built and fetched
	rm -rf bin test-results static/node_modules
	find static/lib -mindepth 1 ! -name .keep -delete
