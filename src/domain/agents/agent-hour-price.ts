import { z } from 'zod';

const highest = 1_000_000;
const hasFewDecimals = (price: number): boolean => Number(price.toFixed(4)) === price;

/** What an hour of an agent of a queue costs, in the currency that the organization counts in. */
export const agentHourPrice = z.number().min(0).max(highest).refine(hasFewDecimals, 'may have four decimals at most');
