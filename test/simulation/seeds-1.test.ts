import { simulateShard } from './seeds.js';

simulateShard(1, 4);
