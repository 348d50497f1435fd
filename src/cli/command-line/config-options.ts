/** The options of `chat config`, in the form of the other options. They have no variables. */
import {inGroup, toggle} from '../../settings/options/option-row.ts';

export const configRows = inGroup('Options', {
	all: toggle(false, {
		flags: ['--all'],
		summary: 'list: print the settings that have their default too',
	}),
	yes: toggle(false, {
		flags: ['-y, --yes'],
		summary: 'unset: remove a profile without a question',
	}),
});
