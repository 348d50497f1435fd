/** Checks the settings: those that are not defaults, their sources, and the key. */
import {describeKey} from '../../../redact.ts';
import {describeSettings} from '../../../settings/service/describe-settings.ts';
import {plural, shorten} from '../../../wording.ts';
import type {Checkup} from './checkup.ts';
import {type Finding, fail, note, ok} from './finding.ts';
import type {Access} from './open-access.ts';

export async function checkSettings(checkup: Checkup): Promise<readonly Finding[]> {
	const {loaded, mistakes, environment, access} = checkup;
	if (mistakes.length > 0) {
		return await Promise.all(mistakes.map((mistake) => fail('mistake', mistake)));
	}
	const set = describeSettings(loaded, environment.variables)
		.filter(({source}) => source !== 'default')
		.map(({key, text, source}) => ok(key, `${describeText(key, text)} (${source})`));
	const listed = set.length === 0 ? [ok('all', 'defaults')] : set;
	// Without access, the section about the service says why.
	const opened = await access.catch(() => undefined);
	return [...listed, ...(opened === undefined ? [] : await about(opened))];
}

const maxLength = 200;

/** A report is for others, and so leaves out the system message. */
function describeText(key: string, text: string): string {
	return key === 'system' ? plural(text.length, 'character') : shorten(text, maxLength);
}

async function about(access: Access): Promise<readonly Finding[]> {
	return [
		await describeOwnKey(access),
		...access.warnings.map((warning) => note('warning', warning)),
	];
}

async function describeOwnKey({
	apiKey,
	keySource,
	unreadKey,
	missingKey,
	address,
}: Access): Promise<Finding> {
	const name = 'API key';
	if (unreadKey !== undefined) {
		const {source, isReadOnline} = unreadKey;
		return note(name, `from ${source}, not read`, isReadOnline ? runOnline : undefined);
	}
	if (missingKey !== undefined) return await fail(name, missingKey);
	if (apiKey !== undefined) return ok(name, `${describeKey(apiKey)} (${keySource})`);
	return ok(name, address === undefined ? 'none: the built-in service needs none' : 'none');
}

export const runOnline = 'chat doctor --online';
