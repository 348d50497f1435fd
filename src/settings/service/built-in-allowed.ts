/**
 * Decides whether the built-in service may answer a run that names no service.
 *
 * Invariant: it never answers in place of a service that was meant.
 */
import {statSync} from 'node:fs';
import {dirname} from 'node:path';
import {ChatError} from '../../errors.ts';
import {joinHints} from '../../hint.ts';
import {editHint} from '../files/config-file.ts';
import {configDirectory, homeHint} from '../files/config-path.ts';
import type {LoadedSettings, SettingsSource} from '../options/load-settings.ts';
import {findUnknownKeys, findUnknownVariables} from '../options/unknown-keys.ts';

/**
 * @param given the beginning of a sentence about a key or header of the run
 * @throws {ChatError} `config` if the user may have meant a service that is not configured
 */
export function assertBuiltInAllowed(given: string | undefined, loaded: LoadedSettings): void {
	const {profile, config, layers, source} = loaded;
	const {variables} = source;
	const fail = (message: string, ...hints: ReadonlyArray<string | undefined>) => {
		const own = hints.filter((hint) => hint !== undefined);
		throw new ChatError('config', message, {hint: joinHints(...own, builtInHint)});
	};
	const refuse = (problem: string, ...hints: ReadonlyArray<string | undefined>) =>
		fail(`${problem}, and no service is configured`, ...hints);
	if (given !== undefined) {
		const unused = variables['OPENAI_BASE_URL'] ? unusedUrlHint : undefined;
		fail(`${given}, but no service is configured`, unused, `${serviceHint}.`);
	}
	if (config.problem !== undefined) {
		const message = `${config.problem}, and no service is configured elsewhere`;
		fail(message, `${serviceHint}, or make the file readable.`);
	}
	if (profile !== undefined) {
		const hint = `To set one: chat config set --profile ${profile} base-url <url>`;
		fail(`the profile ${profile} has no service`, hint);
	}
	const [misspelt] = findUnknownVariables(variables);
	if (misspelt !== undefined) refuse(misspelt.problem, misspelt.hint);
	const [unknown] = findUnknownKeys(layers);
	if (unknown !== undefined) refuse(unknown.problem, unknown.hint, editHint);
	const missing = describeMissingHome(source);
	if (missing !== undefined) refuse(missing, homeHint);
}

const serviceHint = 'Set CHAT_BASE_URL or use --base-url';
const unusedUrlHint = 'OPENAI_BASE_URL is not used with CHAT_API_KEY, only with OPENAI_API_KEY.';

/** Another service may be meant. */
const builtInHint = 'For the built-in service: --base-url built-in:';

/**
 * Returns why the settings of the user may be elsewhere: a scheduler, another user or a container
 * often runs programs with a home folder that is not theirs.
 */
function describeMissingHome(source: SettingsSource): string | undefined {
	const {variables, platform, homedir} = source;
	const named = configDirectory({...source, homedir: undefined});
	if (named !== undefined && describeFolder(dirname(named)) === undefined) return undefined;
	// The system knows a default, but a cleared variable is seldom the only one.
	if (platform !== 'win32' && !variables['HOME']) return 'HOME is not set';
	if (homedir === undefined) return 'there is no home folder';
	const problem = describeFolder(homedir);
	return problem && `the home folder ${homedir} ${problem}`;
}

function describeFolder(path: string): string | undefined {
	try {
		return statSync(path).isDirectory() ? undefined : 'is not a folder';
	} catch (cause) {
		const {code = 'unknown error'} = cause as NodeJS.ErrnoException;
		return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
	}
}
