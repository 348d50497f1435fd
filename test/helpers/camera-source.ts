/**
 * A source of tools without a process: a camera that returns images, and that changes its list when it
 * is turned.
 */
import type {Notice} from '../../src/chat/event.ts';
import type {OfferedTool, Tool, ToolSource} from '../../src/chat/tool.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import type {JsonObject} from '../../src/json.ts';
import {compileSchema} from '../../src/tools/json-schema.ts';

/** One grey pixel. */
export const pixel =
	'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

export interface CameraSource extends ToolSource {
	/** Changes the definition of `look`, and adds `zoom`. */
	turn(): void;
}

/** @param log gets a line for each run of a tool, and for the end of the source */
export function openCamera(log: (line: string) => void = () => {}): CameraSource {
	const listeners = new Set<() => void>();
	let view = 'front';
	let notices: readonly Notice[] = [];

	const createTool = (
		name: string,
		parameters: JsonObject,
		run: Tool['run'],
		description = `The ${view} camera`,
	): Tool => ({
		definition: {name, description, parameters: {$schema: draft07, type: 'object', ...parameters}},
		origin: {camera: 'test', firmware: 1},
		async check(values) {
			const compiled = await compileSchema({$schema: draft07, type: 'object', ...parameters});
			return 'check' in compiled ? compiled.check(values)?.problem : compiled.problem;
		},
		describe: async (values) => [
			{label: 'camera', text: view},
			...Object.entries(values).map(([label, value]) => ({label, text: JSON.stringify(value)})),
		],
		async run(values, signal, elicit) {
			log(`${name} ${JSON.stringify(values)}`);
			return await run(values, signal, elicit);
		},
	});

	const listTools = (): readonly OfferedTool[] => [
		createTool('look', {properties: {at: {type: 'string'}}, required: ['at']}, async ({at}) => ({
			parts: [
				{type: 'text', text: `Here is the ${at}.`},
				{type: 'image', url: pixel},
				{type: 'json', value: {width: 1, height: 1}},
			],
			isError: false,
		})),
		createTool(
			'turn',
			{},
			async () => {
				source.turn();
				return textOutput('turned', false);
			},
			'Turns the camera around',
		),
		createTool(
			'watch',
			{},
			async (_, signal) => {
				await aborted(signal);
				return textOutput('stopped', true);
			},
			'Waits until it is stopped',
		),
		...(view === 'front' ? [] : [createTool('zoom', {}, async () => textOutput('zoomed', false))]),
		{definition: {name: 'print', description: 'Prints the picture, elsewhere'}},
	];

	let tools = listTools();
	const source: CameraSource = {
		get tools() {
			return tools;
		},
		onChange(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		takeNotices() {
			const taken = notices;
			notices = [];
			return taken;
		},
		async close() {
			log('closed');
		},
		turn() {
			view = 'back';
			notices = [{code: 'mcp-server', message: 'the camera was turned'}];
			tools = listTools();
			for (const listener of listeners) listener();
		},
	};
	return source;
}

const draft07 = 'http://json-schema.org/draft-07/schema#';

function aborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve(), {once: true});
	});
}
