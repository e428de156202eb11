// Package wire reads ZooKeeper's client protocol as it passes by.
//
// A [Framer] cuts a TCP stream into frames. A [Decoder], one per connection,
// turns each frame into a [Frame]: what was asked, what was answered, which
// watch fired. It never fails: a frame that it cannot read becomes a Frame that
// says why. A [Tap], one per client, turns frames into events for the log as
// they are sent, held, delivered, dropped and received; it implements the
// observer of package link, which carries the frames.
//
//	client -> link -> server        link: Framer, Decoder, queues
//	            |
//	           Tap -> event.Event -> log
//
// A [Client] is a small session of its own, for what the usual client library
// cannot do: every operation of ZooKeeper's command line, persistent recursive
// watches, attaching to a session that another client opened, and with [Expire]
// ending it.
//
// The package is no general ZooKeeper client: it does not connect again, and has
// no TLS or SASL.
package wire
