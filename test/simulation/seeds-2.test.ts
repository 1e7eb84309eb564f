import { simulateShard } from './seeds.js';

simulateShard(2, 4);
