/** How requests contain compacted turns, in words. */
import {type Compaction, type PlacedCompaction, placeCompactions} from '../../chat/compaction.ts';
import type {Conversation} from '../../chat/conversation.ts';
import {nameTurns} from '../../wording.ts';

const sentAs: Readonly<Record<Compaction['kind'], string>> = {
	summary: 'as a summary',
	omission: 'left out',
	results: 'without large results',
};

/** Returns `turns 1–14 as a summary`. */
export function describeCompaction({compaction, first, last}: PlacedCompaction): string {
	return `${nameTurns({first: first + 1, last: last + 1})} ${sentAs[compaction.kind]}`;
}

export function describeCompactions({turns, compactions}: Conversation): readonly string[] {
	return placeCompactions(turns, compactions).map(describeCompaction);
}
