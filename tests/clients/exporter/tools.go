//go:build tools

// Package exporter pins the Prometheus exporter, a program that run.sh builds.
package exporter

import _ "github.com/oliver006/redis_exporter"
