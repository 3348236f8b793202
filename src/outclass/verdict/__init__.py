"""Takes posteriors, gives decisions: HDI against ROPE, and Bayes factors.

May import `inference`; must not know which model a posterior came from.
"""
