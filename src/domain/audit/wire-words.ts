/** Every kind of privileged change that the wire has a word for (graphql-facts 4, AuditEventType); ours are those of `audit-type.ts`. */
export const auditEventTypes = [
  'agent_token_created', 'agent_token_revoked', 'agent_token_updated', 'api_access_token_created', 'api_access_token_deleted',
  'api_access_token_organization_access_revoked', 'api_access_token_updated', 'api_application_created', 'api_application_deleted', 'api_application_disabled',
  'api_application_enabled', 'api_application_updated', 'authorization_created', 'authorization_deleted', 'build_page_setting_created', 'build_page_setting_destroyed',
  'build_page_setting_updated', 'cache_registry_created', 'cache_registry_deleted', 'cache_registry_updated', 'cluster_created', 'cluster_deleted',
  'cluster_permission_created', 'cluster_permission_deleted', 'cluster_queue_created', 'cluster_queue_deleted', 'cluster_queue_migration_created',
  'cluster_queue_migration_deleted', 'cluster_queue_migration_updated', 'cluster_queue_token_created', 'cluster_queue_token_deleted', 'cluster_queue_token_updated',
  'cluster_queue_updated', 'cluster_token_created', 'cluster_token_deleted', 'cluster_token_updated', 'cluster_updated', 'composite_registry_upstream_added',
  'composite_registry_upstream_removed', 'credit_card_added', 'credit_card_removed', 'job_terminal_session_started', 'model_provider_created', 'model_provider_deleted',
  'model_provider_updated', 'notification_service_broken', 'notification_service_created', 'notification_service_deleted', 'notification_service_disabled',
  'notification_service_enabled', 'notification_service_updated', 'oauth_application_authorized', 'organization_banner_created', 'organization_banner_deleted',
  'organization_banner_updated', 'organization_billing_setting_updated', 'organization_build_export_updated', 'organization_created', 'organization_deleted',
  'organization_impersonation_request_approved', 'organization_impersonation_request_revoked', 'organization_invitation_accepted', 'organization_invitation_created',
  'organization_invitation_resent', 'organization_invitation_revoked', 'organization_member_created', 'organization_member_deleted', 'organization_member_updated',
  'organization_security_settings_updated', 'organization_teams_disabled', 'organization_teams_enabled', 'organization_updated', 'pipeline_created', 'pipeline_deleted',
  'pipeline_schedule_created', 'pipeline_schedule_deleted', 'pipeline_schedule_updated', 'pipeline_template_created', 'pipeline_template_deleted',
  'pipeline_template_updated', 'pipeline_trigger_created', 'pipeline_trigger_deleted', 'pipeline_trigger_updated', 'pipeline_updated', 'pipeline_visibility_changed',
  'pipeline_webhook_url_rotated', 'portal_created', 'portal_deleted', 'portal_secret_created', 'portal_secret_deleted', 'portal_token_code_authorized',
  'portal_token_created', 'portal_token_deleted', 'portal_updated', 'registry_created', 'registry_deleted', 'registry_token_created', 'registry_token_deleted',
  'registry_token_updated', 'registry_updated', 'registry_visibility_changed', 'rule_created', 'rule_deleted', 'rule_updated', 'scm_pipeline_settings_created',
  'scm_pipeline_settings_deleted', 'scm_pipeline_settings_updated', 'scm_repository_host_created', 'scm_repository_host_destroyed', 'scm_repository_host_updated',
  'scm_service_created', 'scm_service_deleted', 'scm_service_updated', 'secret_created', 'secret_deleted', 'secret_queried', 'secret_read', 'secret_updated',
  'secret_value_updated', 'sso_provider_created', 'sso_provider_deleted', 'sso_provider_disabled', 'sso_provider_enabled', 'sso_provider_updated', 'storage_created',
  'subscription_activated', 'subscription_canceled', 'subscription_created', 'subscription_plan_added', 'subscription_plan_cancelation_scheduled',
  'subscription_plan_canceled', 'subscription_plan_changed', 'subscription_plan_change_scheduled', 'subscription_scheduled_plan_change_canceled',
  'subscription_trial_expired', 'suite_api_token_regenerated', 'suite_created', 'suite_deleted', 'suite_monitor_created', 'suite_monitor_deleted',
  'suite_monitor_updated', 'suite_saved_view_created', 'suite_saved_view_deleted', 'suite_updated', 'suite_visibility_changed', 'suite_workflow_created',
  'suite_workflow_deleted', 'suite_workflow_updated', 'team_created', 'team_deleted', 'team_member_created', 'team_member_deleted', 'team_member_updated',
  'team_pipeline_created', 'team_pipeline_deleted', 'team_pipeline_updated', 'team_registry_created', 'team_registry_deleted', 'team_registry_updated',
  'team_secret_created', 'team_secret_deleted', 'team_secret_updated', 'team_suite_created', 'team_suite_deleted', 'team_suite_updated', 'team_updated',
  'test_engine_saved_view_created', 'test_engine_saved_view_deleted', 'test_engine_saved_view_updated', 'user_api_access_token_organization_access_added',
  'user_api_access_token_organization_access_removed', 'user_email_build_notifications_suppressed', 'user_email_build_notifications_unsuppressed', 'user_email_created',
  'user_email_deleted', 'user_email_marked_primary', 'user_email_verified', 'user_impersonated', 'user_password_reset', 'user_password_reset_requested',
  'user_totp_activated', 'user_totp_created', 'user_totp_deleted', 'user_updated',
] as const;
export type AuditEventType = (typeof auditEventTypes)[number];

/** Every kind of thing that one can be about (AuditSubjectType). */
export const auditSubjectTypes = [
  'agent_token', 'api_access_token', 'api_application', 'authorization', 'build_page_setting', 'cache_registry', 'cluster', 'cluster_permission', 'cluster_queue',
  'cluster_queue_token', 'cluster_token', 'composite_registry_upstream', 'credit_card', 'job', 'model_provider', 'notification_service', 'organization',
  'organization_banner', 'organization_billing_setting', 'organization_impersonation_request', 'organization_invitation', 'organization_member',
  'organization_security_setting', 'pipeline', 'pipeline_schedule', 'pipeline_template', 'pipeline_trigger', 'portal', 'portal_secret', 'portal_token',
  'portal_token_code', 'registry', 'registry_token', 'rule', 'scm_pipeline_settings', 'scm_repository_host', 'scm_service', 'secret', 'sso_provider', 'subscription',
  'suite', 'suite_monitor', 'suite_saved_view', 'suite_workflow', 'team', 'team_member', 'team_pipeline', 'team_registry', 'team_secret', 'team_suite', 'user',
  'user_email', 'user_totp',
] as const;
export type AuditSubjectType = (typeof auditSubjectTypes)[number];

/** Who can have made one (AuditActorType). */
export const auditActorTypes = ['agent', 'api_application', 'user'] as const;
