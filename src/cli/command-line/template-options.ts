/** The options of `chat templates`, in the form of the other options. They have no variables. */
import {inGroup, toggle} from '../../settings/options/option-row.ts';

export const templateRows = inGroup('Options', {
	yes: toggle(false, {
		flags: ['-y, --yes'],
		summary: 'delete, import: answer yes to every question',
	}),
});
