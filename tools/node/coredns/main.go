// CoreDNS with what a node of a simulation needs of it: its own main package has every plugin.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/forward"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
)

// In the order in which a query passes them.
func init() {
	dnsserver.Directives = []string{"bind", "health", "errors", "cache", "kubernetes", "forward"}
}

func main() {
	coremain.Run()
}
