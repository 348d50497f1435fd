/** Everything that the checks of `chat doctor` share. */
import type {Environment} from '../../../environment.ts';
import type {ChatError} from '../../../errors.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import type {Finding} from './finding.ts';
import type {Access} from './open-access.ts';

export type Checkup = {
	readonly environment: Environment;
	/** The settings without those that are not valid. */
	readonly loaded: LoadedSettings;
	/** The mistakes in those. */
	readonly mistakes: readonly ChatError[];
	/** Whether a service that is not on this machine may be asked. */
	readonly isOnline: boolean;
	/** The service, opened once for all checks. Rejects with the reason if that is not possible. */
	readonly access: Promise<Access>;
	/** Aborted when the run is to end. */
	readonly signal: AbortSignal;
};

export type Check = (checkup: Checkup) => Promise<readonly Finding[]> | readonly Finding[];
