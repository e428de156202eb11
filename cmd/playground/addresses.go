package main

import (
	"cmp"
	"net"
	"slices"
	"strconv"
	"strings"
)

// reachable returns the addresses at which a playground that listens there may be
// reached from other machines, the likeliest first: what is right nobody here can know,
// so a teacher picks one. Of one that only this machine reaches it is that address.
func reachable(listener net.Addr) []string {
	address, ok := listener.(*net.TCPAddr)
	if !ok {
		return nil
	}
	if !address.IP.IsUnspecified() {
		return []string{siteAddress(address.IP, address.Port)}
	}
	var found []interfaceAddress
	interfaces, _ := net.Interfaces() // without them there is this machine
	for _, each := range interfaces {
		found = append(found, addressesOf(each)...)
	}
	slices.SortStableFunc(found, func(a, b interfaceAddress) int { return cmp.Compare(a.rank(), b.rank()) })
	addresses := []string{}
	for _, each := range found {
		addresses = append(addresses, siteAddress(each.ip, address.Port))
	}
	return append(addresses, siteAddress(net.IPv4(127, 0, 0, 1), address.Port))
}

func siteAddress(ip net.IP, port int) string {
	return "http://" + net.JoinHostPort(ip.String(), strconv.Itoa(port))
}

// An interfaceAddress is an address of one of the machine's interfaces.
type interfaceAddress struct {
	name string
	ip   net.IP
}

func addressesOf(i net.Interface) []interfaceAddress {
	if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
		return nil
	}
	all, err := i.Addrs()
	if err != nil {
		return nil
	}
	var found []interfaceAddress
	for _, each := range all {
		if network, ok := each.(*net.IPNet); ok && !network.IP.IsLinkLocalUnicast() {
			found = append(found, interfaceAddress{i.Name, network.IP})
		}
	}
	return found
}

// virtual begins the names of interfaces that lead to no classroom: those of
// containers, of virtual machines and of private networks.
var virtual = []string{"docker", "veth", "br-", "virbr", "vmnet", "vboxnet", "tun", "tap", "wg", "utun", "zt", "tailscale", "cni", "flannel"}

// rank is lower for an address that is likelier to be the one.
func (a interfaceAddress) rank() int {
	rank := 0
	if slices.ContainsFunc(virtual, func(prefix string) bool { return strings.HasPrefix(a.name, prefix) }) {
		rank += 4
	}
	if a.ip.To4() == nil {
		rank += 2
	}
	if !a.ip.IsPrivate() {
		rank++
	}
	return rank
}
