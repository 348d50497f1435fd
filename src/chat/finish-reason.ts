import type {FinishReason} from '../errors.ts';

/** Whether the service stopped the answer before the model was done. */
export function isCutReason({kind}: FinishReason): boolean {
	return kind === 'length' || kind === 'filter';
}
