package zklock

import (
	"testing"
	"testing/synctest"
)

// A signal is given once, and whoever asks for it, early or late, gets it.
func TestSignal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s signal
		early, waited := s.done(), make(chan struct{})
		go func() {
			s.wait()
			close(waited)
		}()
		synctest.Wait()
		for _, c := range []<-chan struct{}{early, waited} {
			select {
			case <-c:
				t.Error("it was there before it was given")
			default:
			}
		}
		if !s.give() || s.give() {
			t.Error("the first to give it is not the only one")
		}
		<-early
		<-waited
		<-s.done()
		s.wait()
	})
}

// One that nobody has asked for can be given, too.
func TestSignalUnasked(t *testing.T) {
	var s signal
	s.give()
	<-s.done()
	s.wait()
}
