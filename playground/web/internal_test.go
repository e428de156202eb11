package web

// ShareNothing makes a batch of events anew for each viewer, to measure what sharing is
// worth. It is called before there are viewers.
func (s *Server) ShareNothing() { s.batches.most = 0 }
