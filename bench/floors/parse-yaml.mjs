// The floor of a pipeline upload: its YAML is parsed, and nothing else.
import { parse } from 'yaml';
import { serveFloor } from '../harness/product.mjs';

await serveFloor(async (_pool, _url, { yaml }) => JSON.stringify({ steps: parse(yaml).steps.length }));
