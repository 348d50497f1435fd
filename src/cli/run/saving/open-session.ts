/** Opens saved conversations in a running session. */
import type {Environment} from '../../../environment.ts';
import {replHint, withHint} from '../../../hint.ts';
import type {OpenedSession} from '../../../repl/services.ts';
import type {StoredSession} from '../../../sessions/read-session.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import {describeFieldSources} from '../../../settings/service/describe-settings.ts';
import {withOwnModel} from '../../../settings/service/own-model.ts';
import {createChatOptions, preferForm} from '../chat-options.ts';
import {createFileSource, readFields} from '../read-request.ts';
import type {Request, Run} from '../turn-runner.ts';
import {readSaved, resumeSession} from './resume-session.ts';
import type {SessionSaving} from './save-session.ts';

/**
 * Reads a conversation by its id or title. Its settings come back; flags win over them.
 *
 * @throws {ChatError} as `resumeSession` does
 */
export async function openSession(
	word: string,
	run: Run,
	request: Request,
	saving: Pick<SessionSaving, 'leaveFor'>,
	environment: Environment,
): Promise<OpenedSession> {
	const {sessionsDir} = run.settings;
	const stored = resumeSession({sessionsDir, resume: word, fork: false}, environment);
	const isSystemGiven = run.flags['system'] !== undefined;
	const {system} = isSystemGiven ? request.conversation : stored.conversation;
	const options = await restoreOptions(stored, run, request, environment);
	return {
		conversation: {...stored.conversation, system},
		options,
		draft: stored.draft,
		notices: [
			...saving.leaveFor(stored),
			...stored.notices.map((notice) => withHint(notice, replHint)),
		],
	};
}

async function restoreOptions(
	stored: StoredSession,
	{flags, tools, settings: current, signal}: Run,
	{options}: Request,
	environment: Environment,
): Promise<OpenedSession['options']> {
	if (stored.settings === undefined) return options;
	const read = preferForm(loadSettings(flags, environment, readSaved(stored)));
	const {baseUrl} = current;
	const here = {...read, settings: {...read.settings, baseUrl}};
	const {loaded} = withOwnModel(here);
	// Another service's model stays behind.
	const settings = {...loaded.settings, model: loaded.settings.model ?? options.model};
	// A schema is read once, when the run starts.
	const schema = typeof options.responseFormat === 'object' ? options.responseFormat : undefined;
	const isSchemaWanted = settings.jsonSchema !== undefined;
	return {
		...createChatOptions(settings, tools?.tools ?? [], isSchemaWanted ? schema : undefined),
		extraFields: await readFields(settings, createFileSource(signal, environment)),
		fieldSources: describeFieldSources(loaded),
	};
}
