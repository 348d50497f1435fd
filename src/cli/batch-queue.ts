/** Batches on their way from a loop that pushes to one that pulls. */
import type {ChatEventBatch} from '../chat/event.ts';

export interface BatchQueue extends AsyncIterable<ChatEventBatch> {
	push(batch: ChatEventBatch): void;
	/** Nothing follows. */
	end(): void;
}

/** For one reader. */
export function createBatchQueue(): BatchQueue {
	let batches: ChatEventBatch[] = [];
	let isEnded = false;
	let wake: (() => void) | undefined;
	return {
		push(batch) {
			batches.push(batch);
			wake?.();
		},
		end() {
			isEnded = true;
			wake?.();
		},
		async *[Symbol.asyncIterator]() {
			for (;;) {
				const ready = batches;
				batches = [];
				yield* ready;
				if (batches.length > 0) continue;
				if (isEnded) return;
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
			}
		},
	};
}
