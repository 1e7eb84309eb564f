# Every data source of the provider that Slipway serves.

data "buildkite_meta" "meta" {}

data "buildkite_organization" "acme" {
  depends_on = [buildkite_organization.settings]
}

data "buildkite_organization_members" "all" {}

data "buildkite_team" "by_id" {
  id = buildkite_team.developers.id
}

data "buildkite_team" "by_slug" {
  slug = buildkite_team.least.slug
}

data "buildkite_teams" "all" {
  depends_on = [buildkite_team.least, buildkite_team.developers]
}

data "buildkite_cluster" "linux" {
  name       = buildkite_cluster.linux.name
  depends_on = [buildkite_cluster_maintainer.user, buildkite_cluster_maintainer.team]
}

data "buildkite_clusters" "all" {
  depends_on = [buildkite_cluster_default_queue.linux, buildkite_cluster_maintainer.user]
}

data "buildkite_pipeline" "whole" {
  slug       = "whole"
  depends_on = [buildkite_pipeline.whole]
}

data "buildkite_pipeline_template" "by_id" {
  id = buildkite_pipeline_template.whole.id
}

data "buildkite_pipeline_template" "by_name" {
  name       = buildkite_pipeline_template.least.name
  depends_on = [buildkite_pipeline_template.least]
}

data "buildkite_organization_rule" "by_id" {
  id = buildkite_organization_rule.trigger.id
}

data "buildkite_organization_rule" "by_uuid" {
  uuid = buildkite_organization_rule.artifacts.uuid
}

data "buildkite_test_suite" "whole" {
  slug       = buildkite_test_suite.whole.slug
  depends_on = [buildkite_test_suite.whole]
}

output "read" {
  sensitive = true
  value = {
    meta         = data.buildkite_meta.meta.webhook_ips
    organization = data.buildkite_organization.acme
    members      = [for each in data.buildkite_organization_members.all.members : each.email]
    teams        = [for each in data.buildkite_teams.all.teams : each.name]
    team         = [data.buildkite_team.by_id.name, data.buildkite_team.by_slug.name]
    clusters     = [for each in data.buildkite_clusters.all.clusters : each.name]
    cluster      = data.buildkite_cluster.linux
    pipeline     = data.buildkite_pipeline.whole
    templates    = [data.buildkite_pipeline_template.by_id.name, data.buildkite_pipeline_template.by_name.name]
    rules        = [data.buildkite_organization_rule.by_id.action, data.buildkite_organization_rule.by_uuid.action]
    suite        = data.buildkite_test_suite.whole.name
  }
}
