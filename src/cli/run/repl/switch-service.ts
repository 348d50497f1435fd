/** Moves a session to another service, connected by a dialog or chosen by profile. */
import type {Environment, Keyboard, Terminal} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import type {ReplServices, SwitchedService} from '../../../repl/services.ts';
import {type LoadedSettings, loadSettings} from '../../../settings/options/load-settings.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {chooseModel} from '../service/choose-model.ts';
import {fieldsOfProfile, loadProfile, withoutService} from '../service/load-profile.ts';
import {type OpenService, openService, openServiceWith} from '../service/open-service.ts';
import type {Run} from '../turn-runner.ts';

/** A run able to change its service. */
export type SwitchableRun = {
	/** The run with the current `service`. */
	readonly run: Run;
	/** Goes on with a service, taking over its closing. Earlier keys stay redacted. */
	use(service: OpenService): void;
	/** Closes the services switched to. */
	close(): Promise<void>;
};

export function createSwitchableRun(first: Run): SwitchableRun {
	let {service} = first;
	const opened: OpenService[] = [];
	const run: Run = {
		...first,
		get service() {
			return service;
		},
	};
	return {
		run,
		use(next) {
			const {redact} = service;
			service = {...next, redact: (text) => next.redact(redact(text))};
			opened.push(next);
		},
		async close() {
			for (const each of opened.splice(0)) await each.close();
		},
	};
}

type SwitchOptions = {
	readonly terminal: Terminal;
	readonly keyboard: Keyboard;
	/** Called after a switch; returns whether conversations are saved from here on. */
	readonly onSwitched: () => Promise<boolean>;
};

export function createServiceSwitch(
	{run, use}: SwitchableRun,
	{terminal, keyboard, onSwitched}: SwitchOptions,
	environment: Environment,
): Pick<ReplServices, 'connectService' | 'openProfile'> {
	const {signal} = run;
	const own = withKeyboard(keyboard, terminal, environment);
	/** A profile was named; without one, the dialog names the service. */
	const load = (profile: string | undefined) =>
		profile === undefined
			? loadSettings(withoutService(run.flags), environment)
			: loadProfile(profile, run.flags, true, environment);
	const switchTo = async (
		service: OpenService,
		loaded: LoadedSettings,
	): Promise<SwitchedService> => {
		const hasModel = service.settings.model !== undefined;
		// Without a model the earlier service stays.
		const named = hasModel
			? service
			: await chooseModel(service, {loaded, isSession: false, signal}, own).catch(
					async (error: unknown) => {
						await service.close();
						throw error;
					},
				);
		const {settings, title, notices} = named;
		use(named);
		return {
			title,
			model: expandModelName(settings.model, settings.family),
			options: fieldsOfProfile(loaded),
			isSaved: await onSwitched(),
			notices: notices.map(({message}) => message),
		};
	};
	return {
		async connectService() {
			const {connectByDialog} = await import('../connect/connect-by-dialog.ts');
			return await terminal.lend(async () => {
				const isPlain = run.settings.plain;
				const policy = {command: '/connect', purpose: 'ask its questions', isPlain};
				const plan = await connectByDialog({profile: undefined, flags: {}, policy}, own);
				if (plan === undefined) return undefined;
				const loaded = load(plan.profile);
				const chosen = {...loaded, settings: {...loaded.settings, model: plan.model}};
				const key = plan.newKey === undefined ? undefined : keyOfDialog(plan.newKey);
				const baseUrl = String(plan.values['base-url']);
				return await switchTo(
					await openServiceWith({loaded: chosen, baseUrl, key}, signal, own),
					chosen,
				);
			});
		},
		async openProfile(name) {
			return await terminal.lend(async () => {
				const loaded = load(name);
				if (loaded.settings.baseUrl === undefined) {
					throw new ChatError('config', `the profile ${name} names no service`);
				}
				const service = await openService(loaded, signal, own);
				if (service.missingKey !== undefined) {
					await service.close();
					throw service.missingKey;
				}
				return await switchTo(service, loaded);
			});
		},
	};
}

function keyOfDialog(apiKey: string) {
	return {apiKey, keySource: 'your input'};
}

/** Dialogs use the session's terminal, even if stdin or stderr is a file. */
function withKeyboard(
	{stream}: Keyboard,
	terminal: Terminal,
	environment: Environment,
): Environment {
	return {
		...environment,
		stdin: {
			kind: 'terminal',
			read: () => stream,
			setRawMode: (isRaw) => void stream.setRawMode(isRaw),
		},
		stderr: environment.stdout,
		onInterrupt(listener) {
			const stops = [
				environment.onInterrupt(listener),
				terminal.onInterruptKey(() => listener('SIGINT')),
			];
			return () => {
				for (const stop of stops) stop();
			};
		},
	};
}
