// openapi-generator-cli generate -i $SLIPWAY_URL/v2/openapi.json -g typescript-fetch -o slipway --additional-properties importFileExtension=.js
import { BuildApi, Configuration, PipelineApi } from './slipway/index.js';

const [name = 'Example', passed = 'example'] = process.argv.slice(2);
const configuration = new Configuration({
  basePath: process.env['SLIPWAY_URL'] ?? 'http://127.0.0.1:3000',
  accessToken: process.env['SLIPWAY_TOKEN'] ?? '',
});
const org = process.env['SLIPWAY_ORGANIZATION'] ?? 'demo';

const pipeline = await new PipelineApi(configuration).pipelineCreate({
  org,
  pipelineCreateRequest: {
    name,
    repository: 'https://git.example.com/demo/example.git',
    _configuration: 'steps: []',
  },
});
const build = await new BuildApi(configuration).buildGet({ org, slug: passed, number: 1 });
const job = build.jobs?.[0];
console.log(pipeline.slug, build.state, job?.type === 'script' ? job.exitStatus : job?.type);
