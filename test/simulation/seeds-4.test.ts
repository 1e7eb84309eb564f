import { simulateShard } from './seeds.js';

simulateShard(4, 4);
