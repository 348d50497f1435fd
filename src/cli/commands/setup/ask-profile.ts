/** Asks where the connection is stored. */
import {ChatError} from '../../../errors.ts';
import {lineHint} from '../../../hint.ts';
import type {Config} from '../../../settings/files/config-file.ts';
import {checkProfileName} from '../../../settings/options/config-values.ts';
import type {Dialog} from '../../ask.ts';
import type {ChosenService} from './ask-service.ts';

/** Returns the name of a profile; undefined for every run. */
export async function askProfile(
	{name}: ChosenService,
	{values, profiles}: Config,
	dialog: Dialog,
): Promise<string | undefined> {
	const old = values['base-url'];
	const replaced = typeof old === 'string' ? `, in place of ${old}` : '';
	const isProfile = await dialog.choose('Which runs use this service?', [
		{label: `every run${replaced}`, value: false},
		{label: 'only runs with --profile and a name that you choose', value: true},
	]);
	if (!isProfile) return undefined;
	for (;;) {
		const profile = await dialog.text('Name of the profile', {suggestion: name});
		try {
			checkProfileName(profile);
		} catch (error) {
			if (!(error instanceof ChatError)) throw error;
			const {hint} = error.details;
			await dialog.say(`${error.message}.`);
			if (hint !== undefined) await dialog.say(lineHint(hint));
			continue;
		}
		if (!Object.hasOwn(profiles, profile)) return profile;
		const title = `There is a profile ${profile}. Change its service?`;
		if (await dialog.choose(title, yesOrNo)) return profile;
	}
}

const yesOrNo = [
	{label: 'no, another name', value: false},
	{label: 'yes', value: true},
];
