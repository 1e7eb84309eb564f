resource "buildkite_agent_token" "unclustered" {
  description = "Default token"
}

resource "buildkite_cluster_agent_token" "least" {
  cluster_id  = buildkite_cluster.linux.id
  description = "Least"
}

resource "buildkite_cluster_agent_token" "limited" {
  cluster_id           = buildkite_cluster.linux.id
  description          = var.changed ? "Changed" : "Limited"
  allowed_ip_addresses = var.changed ? ["10.0.0.0/8"] : ["10.100.1.0/28", "192.168.0.0/16"]
}
