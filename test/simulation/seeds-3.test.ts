import { simulateShard } from './seeds.js';

simulateShard(3, 4);
