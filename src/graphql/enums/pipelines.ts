import { declare, listOrders } from './declare.js';

export const PipelineVisibility = declare('PipelineVisibility', 'Visibility of a pipeline.', {
  private: 'Only members of the organization with access can see the pipeline.',
  public: 'Everybody can see the pipeline and its builds.',
});

export const PipelineAccessLevels = declare('PipelineAccessLevels', 'Access of a team to a pipeline.', {
  build_and_read: 'View the pipeline and create builds.',
  manage_build_and_read: 'View and edit the pipeline and create builds.',
  read_only: 'View the pipeline and its builds.',
});

export const PipelineOrders = declare('PipelineOrders', 'Order of pipelines.', {
  ...listOrders,
  name_with_favorites_first: 'Favorites of the viewer first; alphabetical by name within both groups.',
});

export const CommandWordMatchMode = declare(
  'CommandWordMatchMode',
  'Comparison of a comment with the command word that starts a build.',
  {
    contains: 'The comment contains the command word.',
    exact: 'The comment is exactly the command word.',
  },
);

export const PipelineTemplateOrder = declare('PipelineTemplateOrder', 'Order of pipeline templates.', {
  name: listOrders.name,
  recently_created: listOrders.recently_created,
});
