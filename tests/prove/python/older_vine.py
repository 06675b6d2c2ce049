"""To be imported before celery 4 and its companions: vine 1 imports a name that Python has had until 3.10."""

import inspect

inspect.formatargspec = getattr(inspect, "formatargspec", None)
