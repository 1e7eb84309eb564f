# Every resource of the provider that Slipway serves, with required attributes alone and with all of them; `changed`
# changes what can change in place. resources-without-import.tf has those that the provider itself cannot import.

terraform {
  required_providers {
    buildkite = {
      source  = "buildkite/buildkite"
      version = "1.38.0"
    }
  }
}

provider "buildkite" {
  max_retries = 1
  timeouts = {
    create = "60s"
    read   = "60s"
    update = "60s"
    delete = "60s"
  }
}

variable "changed" {
  type    = bool
  default = false
}

# Leaves out what the provider cannot take over by an import: the default team of a pipeline, which it adds once more,
# and settings of repositories whose settings it reads only in part.
variable "imported" {
  type    = bool
  default = false
}

# Private key with which steps are signed.
variable "jwks" {
  type      = string
  sensitive = true
}

# Settings of the organization

resource "buildkite_organization" "settings" {
  allowed_api_ip_addresses = var.changed ? ["127.0.0.0/8", "::1/128"] : ["127.0.0.0/8", "::1/128", "10.0.0.0/8"]
}

resource "buildkite_organization_banner" "maintenance" {
  message = var.changed ? "Maintenance is over." : ":warning: Maintenance this weekend!"
}

# Teams and people

data "buildkite_organization_member" "ada" {
  email = "ada@example.com"
}

data "buildkite_organization_member" "grace" {
  email = "grace@example.com"
}

resource "buildkite_team" "least" {
  name                = "Least"
  privacy             = "VISIBLE"
  default_team        = false
  default_member_role = "MEMBER"
}

resource "buildkite_team" "developers" {
  name                           = var.changed ? "All developers" : "Developers"
  description                    = var.changed ? "" : "Who write it"
  privacy                        = var.changed ? "VISIBLE" : "SECRET"
  default_team                   = var.changed
  default_member_role            = var.changed ? "MEMBER" : "MAINTAINER"
  members_can_create_pipelines   = !var.changed
  members_can_create_suites      = var.changed
  members_can_create_registries  = false
  members_can_destroy_registries = false
  members_can_destroy_packages   = false
}

resource "buildkite_team_member" "grace" {
  team_id = buildkite_team.developers.id
  user_id = data.buildkite_organization_member.grace.id
  role    = var.changed ? "MAINTAINER" : "MEMBER"
}

# Clusters

resource "buildkite_cluster" "least" {
  name = "Least"
}

resource "buildkite_cluster" "linux" {
  name        = var.changed ? "Linux machines" : "Linux"
  description = var.changed ? "Runs the monolith" : "Runs everything"
  emoji       = var.changed ? ":rocket:" : ":linux:"
  color       = var.changed ? "#1a2b3c" : "#BADA55"
}

resource "buildkite_cluster_queue" "least" {
  cluster_id = buildkite_cluster.linux.id
  key        = "least"
}

resource "buildkite_cluster_queue" "large" {
  cluster_id           = buildkite_cluster.linux.id
  key                  = "large"
  description          = var.changed ? "128 cores" : "64 cores"
  dispatch_paused      = !var.changed
  retry_agent_affinity = var.changed ? "prefer-warmest" : "prefer-different"
}

resource "buildkite_cluster_default_queue" "linux" {
  cluster_id = buildkite_cluster.linux.id
  queue_id   = var.changed ? buildkite_cluster_queue.large.id : buildkite_cluster_queue.least.id
}

resource "buildkite_cluster_maintainer" "user" {
  cluster_uuid = buildkite_cluster.linux.uuid
  user_uuid    = data.buildkite_organization_member.grace.uuid
}

resource "buildkite_cluster_maintainer" "team" {
  cluster_uuid = buildkite_cluster.linux.uuid
  team_uuid    = buildkite_team.developers.uuid
}

resource "buildkite_cluster_secret" "least" {
  cluster_id = buildkite_cluster.linux.uuid
  key        = "LEAST"
  value      = "tell-nobody"
}

resource "buildkite_cluster_secret" "password" {
  cluster_id  = buildkite_cluster.linux.uuid
  key         = "DATABASE_PASSWORD"
  value       = var.changed ? "another-secret" : "a-secret"
  description = var.changed ? "Password of the new database" : "Password of the database"
  policy      = <<-EOT
    - pipeline_slug: ${var.changed ? "least" : "whole"}
      build_branch: main
  EOT
}

# Pipelines

locals {
  github = "git@github.com:acme/whole.git"
  steps  = <<-YAML
    steps:
      - label: ":hammer: Tests"
        command: make test
  YAML
}

resource "buildkite_pipeline_template" "least" {
  name          = "Least"
  configuration = local.steps
}

resource "buildkite_pipeline_template" "whole" {
  name          = var.changed ? "Whole template" : "Whole"
  description   = var.changed ? "Another description" : "A description"
  configuration = var.changed ? "steps:\n  - command: make all\n" : local.steps
  # The provider sends no false on update, so it never takes a template back.
  available = var.changed
}

resource "buildkite_pipeline" "least" {
  name       = "Least"
  repository = "https://git.example.com/acme/least.git"
}

resource "buildkite_pipeline" "whole" {
  name                                     = var.changed ? "Whole pipeline" : "Whole"
  slug                                     = "whole"
  description                              = var.changed ? "Another description" : "A description :rocket:"
  repository                               = local.github
  cluster_id                               = buildkite_cluster.linux.id
  default_team_id                          = var.imported ? null : var.changed ? buildkite_team.least.id : buildkite_team.developers.id
  steps                                    = local.steps
  color                                    = var.changed ? "#000000" : "#BADA55"
  emoji                                    = var.changed ? ":tada:" : ":rocket:"
  tags                                     = var.changed ? ["ruby"] : ["go", "backend"]
  default_branch                           = "main"
  branch_configuration                     = var.changed ? "main" : "main release/*"
  allow_rebuilds                           = var.changed
  skip_intermediate_builds                 = !var.changed
  skip_intermediate_builds_branch_filter   = "!main"
  cancel_intermediate_builds               = var.changed
  cancel_intermediate_builds_branch_filter = "!main"
  default_timeout_in_minutes               = var.changed ? 0 : 30
  maximum_timeout_in_minutes               = var.changed ? 90 : 60
  clone_mirror_url                         = "https://cache.example.com/acme/whole.git"
  visibility                               = "PRIVATE"
  archived                                 = var.changed

  provider_settings = {
    trigger_mode                                  = "code"
    build_branches                                = true
    build_check_run_completed                     = var.changed
    build_create_event                            = var.changed
    build_deployment_status_created               = false
    build_issue_comment_created                   = true
    build_merge_group_checks_requested            = var.changed
    build_pull_request_base_branch_changed        = var.changed
    build_pull_request_converted_to_draft         = var.changed
    build_pull_request_forks                      = false
    build_pull_request_labels_changed             = var.changed
    build_pull_request_merge_commits              = var.changed
    build_pull_request_ready_for_review           = true
    build_pull_request_review_dismissed           = var.changed
    build_pull_request_review_requested           = var.changed
    build_pull_request_review_submitted           = var.changed
    build_pull_requests                           = true
    build_release_created                         = var.changed
    build_release_published                       = var.changed
    build_release_released                        = var.changed
    build_tags                                    = true
    cancel_deleted_branch_builds                  = var.changed
    cancel_when_merge_group_destroyed             = var.changed
    filter_condition                              = "build.pull_request.id != null"
    filter_enabled                                = var.changed
    ignore_default_branch_pull_requests           = var.changed
    issue_comment_command_word                    = "/build"
    issue_comment_match_mode                      = var.changed ? "exact" : "contains"
    prefix_pull_request_fork_branch_names         = false
    publish_blocked_as_pending                    = true
    publish_commit_status                         = true
    publish_commit_status_per_step                = true
    pull_request_branch_filter_configuration      = "main"
    pull_request_branch_filter_enabled            = true
    separate_pull_request_statuses                = true
    skip_builds_for_existing_commits              = var.changed
    skip_pull_request_builds_for_existing_commits = false
    use_merge_group_base_commit_for_git_diff_base = var.changed
    use_step_key_as_commit_status                 = var.changed
  }
}

data "buildkite_signed_pipeline_steps" "signed" {
  repository     = local.github
  unsigned_steps = local.steps
  jwks           = var.jwks
}

resource "buildkite_pipeline" "signed" {
  name       = "Signed"
  repository = local.github
  steps      = data.buildkite_signed_pipeline_steps.signed.steps
}

# A pipeline of each kind of repository, with settings that its provider has.
resource "buildkite_pipeline" "hosted" {
  for_each = merge(
    {
      bitbucket = "git@bitbucket.org:acme/hosted.git"
      ghe       = "git@github.acme.example:acme/hosted.git"
      github    = "https://github.com/acme/hosted.git"
      stash     = "ssh://git@bitbucket.acme.example:7999/acme/hosted.git"
    },
    var.imported ? {} : {
      gitlab    = "git@gitlab.com:acme/hosted.git"
      gitlab_ee = "https://gitlab.acme.example/acme/hosted.git"
      unknown   = "https://git.example.com/acme/hosted.git"
    },
  )
  name                 = "hosted ${each.key}"
  repository           = each.value
  pipeline_template_id = var.changed ? null : buildkite_pipeline_template.least.id

  provider_settings = {
    filter_condition = "build.branch == \"main\""
    filter_enabled   = !var.changed
  }
}

resource "buildkite_pipeline_team" "least" {
  pipeline_id  = buildkite_pipeline.least.id
  team_id      = buildkite_team.developers.id
  access_level = var.changed ? "BUILD_AND_READ" : "READ_ONLY"
}

resource "buildkite_pipeline_schedule" "least" {
  pipeline_id = buildkite_pipeline.least.id
  label       = "Least"
  cronline    = "@daily"
  branch      = "main"
}

resource "buildkite_pipeline_schedule" "nightly" {
  pipeline_id = buildkite_pipeline.least.id
  label       = var.changed ? "Every night" : "Nightly"
  cronline    = var.changed ? "0 2 * * * Australia/Melbourne" : "@hourly"
  branch      = var.changed ? "release" : "main"
  commit      = var.changed ? "HEAD" : "abc1234"
  message     = var.changed ? "Another message" : "A message"
  enabled     = var.changed
  env = {
    A        = "1"
    EMPTY    = ""
    EQUALS   = "a=b=c"
    LINES    = "first\nsecond\tindented\r\n"
    QUOTES   = "say \"hello\" and 'bye'"
    SLASHES  = "C:\\new \\\"folder\\\" \\\\share"
    SPACES   = "  around  "
    DOLLAR   = "$HOME $${HOME} #not a comment"
    UNICODE  = "schön 🚀 \u00a0\u200b\ufeff\u0007 \u009d \U000e0001"
    CHANGING = var.changed ? "after" : "before"
  }
}

resource "buildkite_organization_rule" "trigger" {
  type = "pipeline.trigger_build.pipeline"
  value = jsonencode({
    source_pipeline = buildkite_pipeline.least.uuid
    target_pipeline = buildkite_pipeline.whole.uuid
  })
}

resource "buildkite_organization_rule" "artifacts" {
  type        = "pipeline.artifacts_read.pipeline"
  description = var.changed ? "Another description" : "A description"
  value = jsonencode({
    source_pipeline = buildkite_pipeline.whole.uuid
    target_pipeline = buildkite_pipeline.least.uuid
  })
}

# Test suites

resource "buildkite_test_suite" "least" {
  name           = "Least"
  default_branch = "main"
  team_owner_id  = buildkite_team.developers.id
}

resource "buildkite_test_suite" "whole" {
  name             = var.changed ? "Whole suite" : "Whole"
  default_branch   = var.changed ? "trunk" : "main"
  team_owner_id    = var.changed ? buildkite_team.least.id : buildkite_team.developers.id
  application_name = var.changed ? "" : "Monolith"
  color            = var.changed ? "" : "#BADA55"
  emoji            = var.changed ? ":tada:" : ":rocket:"
}

resource "buildkite_test_suite_team" "readers" {
  test_suite_id = buildkite_test_suite.least.id
  team_id       = buildkite_team.least.id
  access_level  = var.changed ? "MANAGE_AND_READ" : "READ_ONLY"
}
