/** The options of `chat doctor`, in the form of the other options. They have no variables. */
import {inGroup, toggle} from '../../settings/options/option-row.ts';

export const doctorRows = inGroup('Options', {
	online: toggle(false, {
		flags: ['--online'],
		summary: 'also ask a service that is not on this machine, which sends it the key',
	}),
});
