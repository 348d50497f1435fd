/** `chat mcp add`: starts a server, shows what it offers, and writes its entry. */
import {ChatError, type ExitCode} from '../../../errors.ts';
import {checkChangeable, writeEntry} from '../../../mcp/change-entries.ts';
import type {Manifest} from '../../../mcp/manifest.ts';
import {writeManifest} from '../../../mcp/manifest-files.ts';
import {readOwnEntries} from '../../../mcp/own-entries.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {loginHint} from '../../../mcp/server-error.ts';
import {printInfo} from '../../../output/print.ts';
import {manifestsDirectory} from '../../../settings/files/config-path.ts';
import {ask, type Dialog} from '../../ask.ts';
import {showEntry, showText, summarizeOffer} from '../../run/tools/describe-server.ts';
import {fillHttpEntry} from '../../run/tools/find-server.ts';
import {readOffer} from '../../run/tools/read-offer.ts';
import {removeLogin} from './logout.ts';
import {makeEntry} from './make-entry.ts';
import {type McpRun, policyOf} from './mcp-verb.ts';

/**
 * @throws {ChatError} `usage` for words that make no entry; `auth` without a terminal; as `readOffer` does
 */
export async function addServer(run: McpRun): Promise<ExitCode> {
	const {path, environment} = run;
	const {value, entry, warnings} = makeEntry(run);
	const {name} = entry;
	// A mistake in the file is reported before any question.
	checkChangeable(path);
	const isKnown = readOwnEntries(environment).some((server) => server.name === name);
	for (const warning of warnings) printInfo(warning, environment);
	const manifest = await ask(policyOf('add', run), environment, async (dialog) => {
		if (isKnown && !(await dialog.confirm(`There is a server ${name}. Replace it?`))) return;
		return await tryServer(entry, run, dialog);
	});
	if (manifest === undefined) {
		printInfo('nothing was changed', environment);
		return 0;
	}
	await writeEntry(path, name, value);
	writeManifest(manifestsDirectory(environment), entry, manifest, environment.createId());
	printInfo(`added ${name} to ${path}`, environment);
	printInfo(`try it: chat --mcp ${name} "What can you do?"`, environment);
	return 0;
}

/** Returns what the server offers; undefined if the user does not want it. */
async function tryServer(
	entry: ServerEntry,
	run: McpRun,
	dialog: Dialog,
): Promise<Manifest | undefined> {
	const {say, confirm} = dialog;
	const {name, access} = entry;
	const [verb, going] =
		access.type === 'program' ? ['Start', 'starting'] : ['Connect to', 'connecting to'];
	for (const line of showEntry(entry, run.environment, false)) await say(line);
	if (!(await confirm(`${verb} ${name} to see what it offers?`))) return undefined;
	await say(`${going} ${name}…`);
	const {manifest, hasLoggedIn} = await readWithLogin(entry, run, dialog);
	for (const {name: tool, description = ''} of manifest.offer.tools) {
		await say(`- ${showText(tool)}`);
		if (description !== '') await say(`    ${showText(description)}`);
	}
	await say(summarizeOffer(manifest));
	if (await confirm(`Add ${name}? Each call of a tool still asks.`)) return manifest;
	if (hasLoggedIn) await removeLogin(entry, run.environment);
	return undefined;
}

/** A server may need a login before it says what it offers. */
async function readWithLogin(
	entry: ServerEntry,
	run: McpRun,
	dialog: Dialog,
): Promise<{readonly manifest: Manifest; readonly hasLoggedIn: boolean}> {
	const {signal, isAttended} = dialog;
	try {
		return {...(await readOffer(entry, run, {signal})), hasLoggedIn: false};
	} catch (error) {
		const isLoginNeeded =
			error instanceof ChatError && error.details.hint === loginHint(entry.name);
		if (!isLoginNeeded) throw error;
		if (!isAttended) {
			const hint = 'Add it on a terminal, without --yes.';
			throw new ChatError('auth', error.message, {hint});
		}
		const {logInWith} = await import('./login.ts');
		if (!(await logInWith(dialog, fillHttpEntry(entry, run.environment), run))) throw error;
		return {...(await readOffer(entry, run, {signal})), hasLoggedIn: true};
	}
}
