/** The options of `chat sessions`, in the form of the other options. They have no variables. */
import {inGroup, optional, toggle} from '../../settings/options/option-row.ts';
import {integerFrom} from '../../settings/options/parsers.ts';

export const sessionRows = inGroup('Options', {
	limit: optional(integerFrom(1), {
		flags: ['-n, --limit <n>'],
		summary: 'list: print at most this many',
	}),
	here: toggle(false, {
		flags: ['--here'],
		summary: 'list: only conversations of this folder',
	}),
});
