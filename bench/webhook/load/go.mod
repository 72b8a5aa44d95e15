module celvet.dev/bench/webhook/load

go 1.26.0
