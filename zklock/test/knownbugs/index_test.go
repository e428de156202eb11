package knownbugs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the library's directory. All paths here are relative to it.
const root = "../.."

// A knownBug is one that a lock library has, or has had, and the tests of ours
// that fail if it comes up here: of package locks, of another one below the library,
// as "internal/queue.TestRead", or of the library's own, as ".TestHostProvider".
type knownBug struct {
	number int
	bug    string
	tests  string
}

// knownBugs is complete: there is no number without a test.
var knownBugs = []knownBug{
	// Numbers, order and names.
	{1, "at its end the counter repeats itself, and many hold", "TestSequenceEdge TestMultiSequenceEdge TestSemaphoreSequenceEdge internal/queue.TestExhausted"},
	{2, "numbers compared as text, so that a negative newcomer holds", "TestNegativeNumberAhead internal/queue.TestExhausted"},
	{3, "the sign of a negative number dropped", "TestNegativeNumberAhead internal/queue.TestParse"},
	{4, "a negative predecessor not found, and an orphan left", "TestNegativeNumberAhead"},
	{5, "the queue sorted by whole names", "TestOrderIsByNumber"},
	{6, "of equal numbers the smaller name overtakes the holder", "TestTieDoesNotOvertake TestSequenceEdge"},
	{7, "one stray in the directory stops the lock for all", "TestStraysAreIgnored TestFastPathBesideAStray internal/queue.TestParseRefuses internal/queue.TestRead"},
	{8, "a short name that begins like ours ends in a panic", "TestRecoveryBesideStrays internal/queue.TestGUID"},
	{9, "contenders of other libraries not recognised", "TestExtraMarkers internal/queue.TestParse test/interop.TestMutex test/interop.TestPairs test/interop.TestMutexWithKazoo"},

	// Creating, orphans, and whose znode it is.
	{10, "the reply to a create is lost, and its znode blocks the lock", "TestCreateReplyLost TestCancelWhileCreating TestMultiLostReplyToCreate"},
	{11, "an error after the create leaves the znode", "TestTooManyWaiters TestMaxWaiters TestSequenceEdge"},
	{12, "a znode of a former session taken for the own one", "TestRecoveredNodeOfAnotherSession TestNodeOfAnotherSessionWhileHeld TestCreateInNextSession"},
	{13, "not in the queue, and so nobody is ahead", "TestOwnNodeDeletedBeforeListing TestOwnNodeDeletedWhileWaiting internal/queue.TestPosition internal/queue.TestTurn"},
	{14, "the same for readers and writers, ending in a panic", "TestOwnNodeDeletedBeforeListing TestOwnNodeDeletedWhileWaiting"},
	{15, "a recovered znode known by half its path, or shared by two locks", "TestTwoLocksOfOneSession TestCreateReplyLost"},
	{16, "the directory vanishes before the create, and Lock fails", "TestParentDeletedBeforeCreate TestParentDeletedBetween TestMultiParentDeletedBetween"},
	{17, "a failed try leaves its znode", "TestTryLock TestFailedTryWithoutConnection TestMultiTryLock"},
	{18, "the error of the clean-up hides the first one", "TestFailedTryWithoutConnection"},
	{19, "a refusal that nobody expected ends the lock", "TestThrottledServer TestNoPermissionToStandInLine TestWritePermissionTakenAway"},

	// Waiting and watches.
	{20, "a watch left on a predecessor that had gone", "TestHolderLeavesBeforeTheWatch"},
	{21, "a predecessor that had gone waited for", "TestHolderLeavesBeforeTheWatch"},
	{22, "endless attempts, or in a tight loop", "TestNodeDeletedAgainAndAgain .TestHostProvider"},
	{23, "readers woken by each writer instead of the nearest", "TestNearestWriterIsWatched"},
	{24, "each wait that is given up leaves a watch", "TestWaitsThatAreGivenUpShareAWatch TestSemaphoreSparesWatches"},
	{25, "after a reconnect a waiter does not look again", "TestWatchesAreNotSetAgain TestSemaphoreWatchesAreNotSetAgain"},
	{26, "watches that are not set again put a waiter to sleep", "TestWatchesAreNotSetAgain TestSemaphoreWatchesAreNotSetAgain"},
	{27, "a caller's hook keeps the client from its work", "TestHooksMayUseTheConnection TestSlowHookDoesNotHideALoss"},
	{28, "each wake-up starts the timeout again", "TestDeadlineIsNotRestarted TestMultiOneDeadline"},
	{29, "waiting on in a session that has ended", "TestExpiryWhileWaiting TestMultiExpiryWhileWaiting"},
	{30, "held after a wait in a session that has ended", "TestSessionEndsInTheHandOver"},

	// Holding and releasing.
	{31, "holding on after the session has expired", "TestPartitionWhileHolding TestSessionEndedByServer test/chaos.TestChaos"},
	{32, "a silent partition noticed late", "TestPartitionWhileHolding TestMultiPartitionWhileHolding .TestLostByTheClock"},
	{33, "a lock that was lost once cannot be used again", "TestLockAgainAfterLoss"},
	{34, "a release that was not answered is forgotten", "TestUnlockDisconnected TestLostRequests TestFirstReleaseLost TestMultiUnlockDisconnected"},
	{35, "a late release deletes the next acquisition", "TestLateReleaseSparesTheNext TestLateCleanUpSparesTheNext TestUnlockTwice"},
	{36, "unlocking what is not held", "TestUnlockTwice TestReentrant"},
	{37, "release and acquisition race on what they share", "TestReentrantLockDuringUnlock"},
	{38, "of two objects on one path each holds, or nobody", "TestTwoLocksOfOneSession TestReentrantObjectsContend TestReentrantNeedsOwner"},
	{39, "a count that is not given back when Lock fails", "TestReentrantPanicInHook TestReentrantCancel TestSemaphoreGivenUp"},
	{40, "a session id from before the session, and a false loss", "TestLockBeforeTheFirstSession"},

	// Readers and writers, semaphores, several locks, revocation.
	{41, "a reader waits for a writer behind it", "TestReaderBeforeAWaitingWriter internal/queue.TestBlockers"},
	{42, "a downgrade lets a waiting writer in", "TestDowngrade TestDowngradeBeforeAWriter"},
	{43, "a reader that wants to write waits for itself", "TestUpgradeIsRefused"},
	{44, "a reader or writer whose session has ended holds", "TestExpiryWhileWaiting TestSessionEndsInTheHandOver"},
	{45, "readers overtake a waiting writer", "TestReaderBehindWaitingWriter"},
	{46, "a permit without an owner", "TestSemaphoreInterrupted TestSemaphoreExpiry TestSemaphoreGivenUp"},
	{47, "a try leaves something, or more permits than there are", "TestSemaphoreTry"},
	{48, "two clients with different limits", "TestSemaphoreLimitMismatch TestSemaphoreForeignData"},
	{49, "a raised limit wakes nobody", "TestSemaphoreGrows"},
	{50, "a release by another holder than the one watched goes unseen", "TestSemaphoreReleaseByAnyHolder internal/queue.TestPermitModel"},
	{51, "several locks: going on after an error, a timeout for each, deadlock", "TestMultiCancelOnSecondPath TestMultiOneDeadline TestMultiNoDeadlock"},
	{52, "who can be asked to leave has no data, and only once", "TestRevokeEachLease TestRevoke test/interop.TestCuratorRevokes"},
	{53, "readers who come in together each list the queue", "TestReadersDoNotListInTheHandOver"},
	{54, "unlocking what has expired passes for success", "TestPartitionWhileHolding TestLockAgainAfterLoss"},
	{55, "a release wakes everybody", "TestWakeUpsPerRelease TestSemaphoreWakeUps"},
	{56, "two holders behind a follower that is cut off from its leader", "TestHolderBehindAFollowerThatIsCutOff internal/sessionclock.TestNeverLaterThanTheLeader"},
}

// bugs is how many are known.
const bugs = 56

// The list names tests that there are, and leaves out no number.
func TestKnownBugsAreTested(t *testing.T) {
	declared := make(map[string][]string) // by directory
	for i, known := range knownBugs {
		if known.number != i+1 {
			t.Errorf("T%02d stands in the place of T%02d", known.number, i+1)
		}
		names := strings.Fields(known.tests)
		if len(names) == 0 || known.bug == "" {
			t.Errorf("T%02d has no test", known.number)
		}
		for _, name := range names {
			dir, test := split(name)
			if declared[dir] == nil {
				declared[dir] = testsIn(t, os.DirFS(filepath.Join(root, dir)))
			}
			if !slices.Contains(declared[dir], test) {
				t.Errorf("T%02d: there is no %s", known.number, name)
			}
		}
	}
	if len(knownBugs) != bugs {
		t.Errorf("%d bugs, want %d", len(knownBugs), bugs)
	}
}

// split returns the directory of a test's package, and the test's own name.
func split(name string) (dir, test string) {
	dir, test, elsewhere := strings.Cut(name, ".")
	if !elsewhere {
		return "test/locks", name
	}
	return dir, test
}

// testsIn returns the names of the test functions in a package's directory.
func testsIn(t *testing.T, dir fs.FS) (names []string) {
	t.Helper()
	files, err := fs.Glob(dir, "*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}
