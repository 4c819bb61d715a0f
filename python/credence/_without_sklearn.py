# SPDX-License-Identifier: MIT
"""What the estimators need of scikit-learn, where it is not installed."""
import inspect


class NotFittedError(ValueError, AttributeError):
    pass


class DataConversionWarning(UserWarning):
    pass


class BaseEstimator:
    @classmethod
    def _get_param_names(cls):
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **parameters):
        for name, value in parameters.items():
            if name not in self._get_param_names():
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}")
            setattr(self, name, value)
        return self

    def __repr__(self):
        usual = inspect.signature(type(self).__init__).parameters
        changed = {name: value for name, value in self.get_params().items() if value != usual[name].default}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in sorted(changed.items()))})"


class ClassifierMixin:
    _estimator_type = "classifier"

    def score(self, X, y, sample_weight=None):
        import numpy as np
        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))
