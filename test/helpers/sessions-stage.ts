/** A home folder for saved conversations, and a service whose answers they hold. */
import {existsSync, mkdirSync, readdirSync, renameSync, rmSync} from 'node:fs';
import {basename, join} from 'node:path';
import {expect} from 'vitest';
import {mediaFolder, oldBlobsFolder} from '../../src/sessions/session-path.ts';
import type {ReplyDelta} from './replies.ts';
import {streamReply} from './replies.ts';
import {type Line, type RunOptions, type RunResult, runChat} from './run-chat.ts';
import {createHome} from './settings-home.ts';
import {type RecordingService, startRecording} from './start-service.ts';

export type Stage = {
	readonly service: RecordingService;
	readonly home: string;
	/** The folder of saved conversations. */
	readonly directory: string;
	chat(line: Line, options?: RunOptions): Promise<RunResult>;
	/** The ids of the sessions, oldest first. */
	ids(): readonly string[];
	fileOf(id: string): string;
};

/** Leads a run to where nothing answers. */
export const lost = {
	variables: {CHAT_BASE_URL: 'http://127.0.0.1:1/v1', CHAT_MODEL: 'm', CHAT_MAX_RETRIES: '0'},
};

/** Opens a home folder, and a service with these replies, the last of which repeats. */
export async function openStage(
	replies: ReadonlyArray<ReadonlyArray<ReplyDelta | string>> = [['an answer']],
	config?: unknown,
): Promise<Stage> {
	const service = await startRecording(...replies.map((deltas) => streamReply(deltas)));
	const {source, home} = createHome(config === undefined ? {} : {config});
	const directory = join(home, '.local', 'state', 'chat');
	const files = () =>
		existsSync(join(directory, 'sessions'))
			? readdirSync(join(directory, 'sessions'), {recursive: true, encoding: 'utf8'})
					.filter((name) => name.endsWith('.jsonl'))
					.sort()
			: [];
	const idOf = (name: string) => name.replace(/^.*-|\.jsonl$/g, '');
	return {
		service,
		home,
		directory,
		chat: (line, {variables, ...options} = {}) =>
			runChat(line, {
				...source,
				cwd: home,
				...options,
				variables: {...service.variables, CHAT_SAVE: undefined, ...variables},
			}),
		ids: () => files().map(idOf),
		fileOf(id) {
			const name = files().find((file) => idOf(file) === id) ?? '';
			return join(directory, 'sessions', name);
		},
	};
}

/** Returns the paths of the attachments of a session, which lie beside it. */
export function mediaOf(stage: Stage, id: string): readonly string[] {
	return filesIn(mediaFolder(stage.fileOf(id)));
}

/** Returns the paths of the attachments that an earlier version has stored. */
export function oldBlobsOf({directory}: Stage): readonly string[] {
	return filesIn(oldBlobsFolder(directory));
}

function filesIn(folder: string): readonly string[] {
	return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** Puts the attachments of all sessions where an earlier version had them. */
export function moveMediaToOldPlace(stage: Stage): void {
	const folder = oldBlobsFolder(stage.directory);
	mkdirSync(folder, {mode: 0o700});
	for (const id of stage.ids()) {
		for (const path of mediaOf(stage, id)) renameSync(path, join(folder, basename(path)));
		rmSync(mediaFolder(stage.fileOf(id)), {recursive: true, force: true});
	}
}

/** Runs one answer, and returns the id of its session. */
export async function saveOne(
	stage: Stage,
	prompt: string,
	...flags: readonly string[]
): Promise<string> {
	const {stdout} = await stage.chat(['-o', 'json', ...flags, prompt]);
	const {session} = JSON.parse(stdout);
	expect(session).toMatch(/^[0-9a-v]{8}$/);
	return session;
}
