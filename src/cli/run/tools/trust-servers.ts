/** Asks whether a file's servers may be started. Threat: a repository file by other authors. */
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {hashOf, isTrusted, readTrust, trustHashes} from '../../../files/trust.ts';
import type {ReadEntry} from '../../../mcp/read-entries.ts';
import {requirePath, trustedServersPath} from '../../../settings/files/config-path.ts';
import {plural, quoteWord} from '../../../wording.ts';
import {ask} from '../../ask.ts';
import {isTooLong, showEntry} from './show-entry.ts';

type GivenFile = {
	/** The path as given by the user. */
	readonly path: string;
	readonly absolute: string;
	/** The text shown: the file may change while the question is open. */
	readonly text: string;
	readonly found: readonly ReadEntry[];
	/** Whether the user has chosen plain lines. */
	readonly isPlain: boolean;
};

/**
 * Remembers the answer until the file changes.
 *
 * @throws {ChatError} `auth` if the answer is no, or nobody can be asked
 */
export async function checkTrust(file: GivenFile, environment: Environment): Promise<void> {
	const {path, absolute, text, found, isPlain} = file;
	const trustFile = trustedServersPath(environment);
	const hash = hashOf(text);
	if (isTrusted(absolute, readTrust(trustFile), hash)) return;
	const lines = found.flatMap((entry) => describe(entry, environment));
	if (isTooLong(lines)) {
		throw new ChatError('auth', `the MCP servers of ${path} were not used: too long to be shown`, {
			hint: 'Copy those that you need into the file of: chat mcp path',
		});
	}
	const policy = {isPlain, error: createRefusal(path, 'there was no one to ask')};
	const isAgreed = await ask(policy, environment, async ({say, confirm}) => {
		const count = plural(found.length, 'MCP server');
		await say(`${path} has ${count}, which can do everything that you can:`);
		for (const line of lines) await say(line);
		return await confirm('Use them?');
	});
	if (!isAgreed) throw createRefusal(path, 'the user refused');
	await trustHashes(requirePath(trustFile), {[absolute]: hash}, environment.createId());
}

function createRefusal(path: string, why: string): ChatError {
	return new ChatError('auth', `the MCP servers of ${path} were not used: ${why}`, {
		hint: `Look at them and agree once on a terminal, or copy them with: chat mcp import ${quoteWord(path)}`,
	});
}

function describe({name, entry}: ReadEntry, environment: Environment): readonly string[] {
	if (entry instanceof ChatError) return [];
	return [`server: ${name}`, ...showEntry(entry, environment, true)];
}
